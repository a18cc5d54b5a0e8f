import type { Request } from 'express'
import { cookieName, readTokenCookie } from '#kit/openid-provider/interactions.ts'
import { digest, secretsEqual } from '#kit/secrets.ts'
import type { Dependencies } from '../dependencies.ts'
import { foreignOrigin, invalidCsrfToken } from '../errors.ts'

/** Browsers do not tell the ports of one host apart: each public address has a name of its own. */
function nameFor(baseUrl: string): string {
  const name = cookieName(baseUrl, 'admin')
  return isSecure(baseUrl) ? `__Host-${name}` : name
}

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:')

/** What a browser sends as its session of the panel, or before it is logged in. */
export function readSessionCookie(request: Request, baseUrl: string): string | undefined {
  return readTokenCookie(request, nameFor(baseUrl))
}

/**
 * The Set-Cookie header of a session: for this host and no script, sent by no other site's pages,
 * gone with the browser. An empty value takes the cookie away.
 */
export function sessionCookie(value: string, baseUrl: string): string {
  return [
    `${nameFor(baseUrl)}=${value}`,
    'HttpOnly',
    'SameSite=Strict',
    // The prefix __Host- asks for this path.
    `Path=${isSecure(baseUrl) ? '/' : '/admin'}`,
    ...(isSecure(baseUrl) ? ['Secure'] : []),
    ...(value === '' ? ['Max-Age=0'] : []),
  ].join('; ')
}

/** What a form has to bring along with that cookie: nobody can tell it who does not know the cookie. */
export function csrfTokenOf(cookie: string): string {
  return digest(`csrf ${cookie}`)
}

/** Who works in the panel, and in which browser. */
export interface AdminSession {
  readonly username: string
  /** Value of the session's cookie. */
  readonly id: string
  /** For the page's forms. */
  readonly csrfToken: string
}

/** The session of this browser; undefined where nobody is logged in. */
export async function findAdminSession(
  request: Request,
  { config, admin }: Dependencies,
): Promise<AdminSession | undefined> {
  const id = readSessionCookie(request, config.baseUrl)
  const username = id === undefined ? undefined : await admin.sessions.use(id)
  if (id === undefined || username === undefined) return undefined
  return { username, id, csrfToken: csrfTokenOf(id) }
}

/** The fields of a form that were sent once. */
export function fieldsOf(request: Request): Readonly<Record<string, string | undefined>> {
  const fields = Object.entries((request.body ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

/**
 * Refuses a form that does not bring what only a page of this very session holds.
 *
 * @param cookie value of the session's cookie
 * @throws TestbedError `invalid_csrf_token` (403)
 */
export function requireCsrfToken(request: Request, cookie: string | undefined): void {
  const given = fieldsOf(request).csrf_token ?? ''
  // Compared in any case, so that the time tells nothing.
  const isRight = secretsEqual(given, csrfTokenOf(cookie ?? ''))
  if (isRight && cookie !== undefined) return
  throw invalidCsrfToken()
}

/**
 * Refuses a form that was not sent by a page of this service: browsers say where they come from.
 *
 * @throws TestbedError `foreign_origin` (403)
 */
export function requireOwnOrigin(request: Request, { config }: Pick<Dependencies, 'config'>): void {
  if (request.get('origin') === new URL(config.baseUrl).origin) return
  throw foreignOrigin(config.baseUrl)
}
