import type { Request } from 'express'
import { type Language, languageOf } from '#kit/language.ts'
import { cookieName, readTokenCookie } from '#kit/openid-provider/interactions.ts'
import { digest, secretsEqual } from '#kit/secrets.ts'
import type { Dependencies } from '../dependencies.ts'
import { foreignOrigin, invalidCsrfToken } from '../errors.ts'

/** Browsers share cookies between the ports of a host, so each public address has its own name. */
function nameFor(baseUrl: string): string {
  const name = cookieName(baseUrl, 'admin')
  return isSecure(baseUrl) ? `__Host-${name}` : name
}

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:')

/** Reads the browser's session cookie of the panel, or its cookie of the login page. */
export function readSessionCookie(request: Request, baseUrl: string): string | undefined {
  return readTokenCookie(request, nameFor(baseUrl))
}

/**
 * The Set-Cookie header of a session: only for this host, unreadable for scripts, not sent by other
 * sites' pages, deleted when the browser closes. An empty value deletes the cookie.
 */
export function sessionCookie(value: string, baseUrl: string): string {
  return [
    `${nameFor(baseUrl)}=${value}`,
    'HttpOnly',
    'SameSite=Strict',
    // The prefix __Host- requires this path.
    `Path=${isSecure(baseUrl) ? '/' : '/admin'}`,
    ...(isSecure(baseUrl) ? ['Secure'] : []),
    ...(value === '' ? ['Max-Age=0'] : []),
  ].join('; ')
}

/** The token that a form must send with that cookie; it cannot be computed without the cookie. */
export function csrfTokenOf(cookie: string): string {
  return digest(`csrf ${cookie}`)
}

/** The logged-in administrator, and the browser. */
export interface AdminSession {
  readonly username: string
  /** Value of the session's cookie. */
  readonly id: string
  /** For the page's forms. */
  readonly csrfToken: string
  readonly language: Language
  /** Address of the console of a testbed, for the page's bar. */
  readonly consoleUrl: string | undefined
}

/** The session of this browser; undefined if it is not logged in. */
export async function findAdminSession(
  request: Request,
  { config, admin, runtime }: Dependencies,
): Promise<AdminSession | undefined> {
  const id = readSessionCookie(request, config.baseUrl)
  const username = id === undefined ? undefined : await admin.sessions.use(id)
  if (id === undefined || username === undefined) return undefined
  return {
    username,
    id,
    csrfToken: csrfTokenOf(id),
    language: languageOf(request),
    consoleUrl: runtime.consoleUrl,
  }
}

/** The fields of a form that were sent exactly once. */
export function fieldsOf(request: Request): Readonly<Record<string, string | undefined>> {
  const fields = Object.entries((request.body ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

/**
 * Rejects a form without the token that only pages of this session contain.
 *
 * @param cookie value of the session's cookie
 * @throws TestbedError `invalid_csrf_token` (403)
 */
export function requireCsrfToken(request: Request, cookie: string | undefined): void {
  const given = fieldsOf(request).csrf_token ?? ''
  // Always compared, so that the time does not reveal anything.
  const isRight = secretsEqual(given, csrfTokenOf(cookie ?? ''))
  if (isRight && cookie !== undefined) return
  throw invalidCsrfToken()
}

/**
 * Rejects a form that a page of another origin sent, according to the browser's Origin header.
 * Every browser sends it with a form; a program without it still needs cookie and token.
 *
 * @throws TestbedError `foreign_origin` (403)
 */
export function requireOwnOrigin(request: Request, { config }: Pick<Dependencies, 'config'>): void {
  const origin = request.get('origin')
  if (origin === undefined || origin === new URL(config.baseUrl).origin) return
  throw foreignOrigin(config.baseUrl)
}
