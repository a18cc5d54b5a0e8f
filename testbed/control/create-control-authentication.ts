import type { Request } from 'express'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Authentication } from '#kit/register-route.ts'
import { secretsEqual } from '#kit/secrets.ts'
import { type ConsoleSessions, consoleCookie } from './console-sessions.ts'

/** The console's session of a browser, as its cookie has it. */
export function readConsoleCookie(request: Request): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=')
    if (name === consoleCookie) return value
  }
  return undefined
}

/**
 * Lets in whoever has the control token as Bearer, or the console's cookie. A browser that changes
 * something by its cookie must say where the request comes from.
 */
export function createControlAuthentication(
  token: string,
  sessions: ConsoleSessions,
): Authentication {
  return (request) => {
    const bearer = request.get('authorization')?.match(/^Bearer (\S+)$/i)?.[1]
    if (bearer !== undefined && secretsEqual(bearer, token)) return undefined
    const session = readConsoleCookie(request)
    const isReading = request.method === 'GET' || request.headers.origin !== undefined
    if (session !== undefined && sessions.isOpen(session) && isReading) return undefined
    throw new TestbedError({
      code: 'invalid_token',
      status: 401,
      message: 'The control token (testbed.json, control.token) is missing or wrong.',
      headers: { 'www-authenticate': 'Bearer realm="testbed control"' },
    })
  }
}
