import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readCookie } from '#kit/cookies.ts'
import type { Authentication } from '#kit/register-route.ts'
import { randomToken, secretsEqual } from '#kit/secrets.ts'
import { invalidControlToken } from './errors.ts'

/** Browsers that were authenticated by a one-time link. */
export interface ConsoleSessions {
  /** An address that opens a page of the console once. Default: the home page. */
  createLink(path?: string): string
  /** Exchanges a link's code for a session and uses it up; undefined for any other code. */
  redeem(code: string): string | undefined
  isOpen(session: string): boolean
}

export const consoleCookie = 'lear-testbed-console'

const digest = (secret: string) => createHash('sha256').update(secret).digest('hex')
const largestNumber = 100

/** A path of the console; an address elsewhere does not match. */
export const zConsolePath = z
  .string()
  .max(300)
  .regex(/^\/(?![/\\])[\w/?=&%.-]*$/)

/** Keeps the newest entries of a set and drops the oldest. */
function keep(set: Set<string>, secret: string): void {
  set.add(digest(secret))
  for (const oldest of set) {
    if (set.size <= largestNumber) return
    set.delete(oldest)
  }
}

/**
 * One-time links and their sessions. Both are looked up by their hash, so that the time of a
 * comparison reveals nothing about them.
 */
export function createConsoleSessions(consoleUrl: string): ConsoleSessions {
  const codes = new Set<string>()
  const sessions = new Set<string>()
  return {
    createLink(path = '/') {
      const code = randomToken()
      keep(codes, code)
      const page = path === '/' ? '' : `&to=${encodeURIComponent(path)}`
      return `${consoleUrl}/open?code=${code}${page}`
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

/**
 * Admits clients with the control token as Bearer, or the console's cookie. A browser that changes
 * state by its cookie must send the origin of the request.
 */
export function createControlAuthentication(
  token: string,
  sessions: ConsoleSessions,
): Authentication {
  return (request) => {
    const bearer = request.get('authorization')?.match(/^Bearer (\S+)$/i)?.[1]
    if (bearer !== undefined && secretsEqual(bearer, token)) return undefined
    const session = readCookie(request, consoleCookie)
    const isReading = request.method === 'GET' || request.headers.origin !== undefined
    if (session !== undefined && sessions.isOpen(session) && isReading) return undefined
    throw invalidControlToken()
  }
}
