import { createHash } from 'node:crypto'
import type { Request } from 'express'
import type { Authentication } from '#kit/register-route.ts'
import { randomToken, secretsEqual } from '#kit/secrets.ts'
import { invalidControlToken } from './errors.ts'

/** Browsers that were let in by a one-time link. */
export interface ConsoleSessions {
  /** An address that opens the console once. */
  createLink(): string
  /** Session for a link's code, which is used up by this; undefined for any other. */
  redeem(code: string): string | undefined
  isOpen(session: string): boolean
}

export const consoleCookie = 'lear-testbed-console'

const digest = (secret: string) => createHash('sha256').update(secret).digest('hex')
const largestNumber = 100

/** Keeps the newest of a set; the oldest go. */
function keep(set: Set<string>, secret: string): void {
  set.add(digest(secret))
  for (const oldest of set) {
    if (set.size <= largestNumber) return
    set.delete(oldest)
  }
}

/**
 * One-time links and the sessions that come of them. Both are looked up by their hash, so that the
 * time of a comparison tells nothing about them.
 */
export function createConsoleSessions(consoleUrl: string): ConsoleSessions {
  const codes = new Set<string>()
  const sessions = new Set<string>()
  return {
    createLink() {
      const code = randomToken()
      keep(codes, code)
      return `${consoleUrl}/open?code=${code}`
    },
    redeem(code) {
      if (!codes.delete(digest(code))) return undefined
      const session = randomToken()
      keep(sessions, session)
      return session
    },
    isOpen: (session) => sessions.has(digest(session)),
  }
}

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
    throw invalidControlToken()
  }
}
