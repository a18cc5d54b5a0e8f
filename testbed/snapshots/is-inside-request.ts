import type { IncomingMessage } from 'node:http'
import { callerOf, viaIssuer } from '#kit/record-hops.ts'
import { serviceParts } from '../compose/environment-services.ts'

const insiders: ReadonlySet<string> = new Set([...serviceParts, 'control', 'operator'])

/**
 * Whether a request comes from a part of the testbed, as its User-Agent or, for one that was
 * forwarded, its Via header says.
 */
export function isInsideRequest({ headers }: IncomingMessage): boolean {
  return insiders.has(callerOf(headers['user-agent'])) || headers.via === viaIssuer
}
