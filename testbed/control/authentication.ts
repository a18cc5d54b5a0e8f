import type { Request } from 'express'
import { z } from 'zod'
import { readCookie } from '#kit/read-request.ts'
import type { Authentication } from '#kit/register-route.ts'
import { digest, randomToken, secretsEqual } from '#kit/secrets.ts'
import { invalidControlToken, missingConsoleKey } from './errors.ts'

/** What a one-time link gives to a browser. */
export interface OpenedSession {
  /** Value of the console's cookie, which browsers send to every port of the host. */
  readonly session: string
  /** Kept by scripts of the console's origin only: see {@link consoleKeyHeader}. */
  readonly key: string
}

/** Browsers that were authenticated by a one-time link. */
export interface ConsoleSessions {
  /** An address that opens a page of the console once. Default: the home page. */
  createLink(path?: string): string
  /** Exchanges a link's code for a session and uses it up; undefined for any other code. */
  redeem(code: string): OpenedSession | undefined
  isOpen(session: string): boolean
  isKeyOf(session: string, key: string): boolean
}

export const consoleCookie = 'lear-testbed-console'

/**
 * The header with the key of a session. Another server on this host can receive the cookie, since
 * browsers do not separate cookies by port, but not the key.
 */
const consoleKeyHeader = 'x-console-key'

const largestNumber = 100

/** A path of the console; an address elsewhere does not match. */
export const zConsolePath = z
  .string()
  .max(300)
  .regex(/^\/(?![/\\])[\w/?=&%.-]*$/)

/** Keeps the newest entries and drops the oldest. */
function keep(secrets: Map<string, string>, secret: string, key = ''): void {
  secrets.set(digest(secret), digest(key))
  for (const oldest of secrets.keys()) {
    if (secrets.size <= largestNumber) return
    secrets.delete(oldest)
  }
}

/**
 * One-time links and their sessions. All are looked up and compared by their hash, so that the time
 * of a comparison reveals nothing about them.
 */
export function createConsoleSessions(consoleUrl: string): ConsoleSessions {
  const codes = new Map<string, string>()
  const sessions = new Map<string, string>()
  return {
    createLink(path = '/') {
      const code = randomToken()
      keep(codes, code)
      const page = path === '/' ? '' : `&to=${encodeURIComponent(path)}`
      return `${consoleUrl}/open?code=${code}${page}`
    },
    redeem(code) {
      if (!codes.delete(digest(code))) return undefined
      const opened = { session: randomToken(), key: randomToken() }
      keep(sessions, opened.session, opened.key)
      return opened
    },
    isOpen: (session) => sessions.has(digest(session)),
    isKeyOf: (session, key) => sessions.get(digest(session)) === digest(key),
  }
}

/**
 * Who may do what at the control interface and the console. Clients with the control token as
 * Bearer may do everything.
 */
export function createControlAuthentications(token: string, sessions: ConsoleSessions) {
  const hasToken = (request: Request) => {
    const bearer = request.get('authorization')?.match(/^Bearer (\S+)$/i)?.[1]
    return bearer !== undefined && secretsEqual(bearer, token)
  }
  /** A browser that changes state by its cookie must send the origin of the request. */
  const openSession = (request: Request) => {
    const session = readCookie(request, consoleCookie)
    const isReading = request.method === 'GET' || request.headers.origin !== undefined
    return session !== undefined && sessions.isOpen(session) && isReading ? session : undefined
  }
  const requireToken: Authentication = (request) => {
    if (!hasToken(request)) throw invalidControlToken()
  }
  const requireSession: Authentication = (request) => {
    if (!hasToken(request) && openSession(request) === undefined) throw invalidControlToken()
  }
  const requireKey: Authentication = (request) => {
    if (hasToken(request)) return
    const session = openSession(request)
    if (session === undefined) throw invalidControlToken()
    const key = request.get(consoleKeyHeader) ?? ''
    if (!sessions.isKeyOf(session, key)) throw missingConsoleKey()
  }
  return {
    control: requireSession,
    /** For what would give a session more than its cookie: new links. */
    token: requireToken,
    /** For what runs commands of a target on this machine. */
    command: requireKey,
  }
}
