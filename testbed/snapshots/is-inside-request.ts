import type { IncomingMessage } from 'node:http'
import { callerOf } from '#kit/record-hops.ts'
import { serviceParts } from '../compose/environment-services.ts'

const insiders: ReadonlySet<string> = new Set([...serviceParts, 'control', 'operator'])

/** Whether a request comes from a part of the testbed, as its User-Agent tells. */
export function isInsideRequest({ headers }: IncomingMessage): boolean {
  return insiders.has(callerOf(headers['user-agent']))
}
