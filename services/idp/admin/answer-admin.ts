import type { Request } from 'express'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Reply } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/error-response.ts'
import { secretsEqual } from '#kit/secrets-equal.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorPage } from './pages/error-page.ts'
import { csrfTokenOf, readSessionCookie } from './session-cookie.ts'

/** Who works in the panel, and in which browser. */
export interface AdminSession {
  readonly username: string
  /** Value of the session's cookie. */
  readonly id: string
  /** For the page's forms. */
  readonly csrfToken: string
}

/** Answers a browser: what is thrown becomes a page of the panel. */
export async function answerAdmin(
  { log }: Pick<Dependencies, 'log'>,
  work: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await work()
  } catch (thrown) {
    const error = toTestbedError(thrown)
    const { status, code, message } = error
    if (status >= 500) log.error({ err: error.cause ?? error, code, detail: error.detail }, code)
    return errorPage({ status, code, message })
  }
}

/** Leads on by GET. */
export function leadTo(location: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 303, headers: { location, 'cache-control': 'no-store', ...headers } }
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

/**
 * Refuses a form that was not sent by a page of this service: browsers say where they come from.
 *
 * @throws TestbedError `foreign_origin` (403)
 */
export function checkOrigin(request: Request, { config }: Pick<Dependencies, 'config'>): void {
  if (request.get('origin') === new URL(config.baseUrl).origin) return
  throw new TestbedError({
    code: 'foreign_origin',
    status: 403,
    message: `This form has to be sent from the panel itself. Open ${config.baseUrl}/admin/`,
  })
}

/**
 * Refuses a form that does not bring what only a page of this very session holds.
 *
 * @param cookie value of the session's cookie
 * @throws TestbedError `invalid_csrf_token` (403)
 */
export function checkCsrfToken(request: Request, cookie: string | undefined): void {
  const given = fieldsOf(request).csrf_token ?? ''
  // Compared in any case, so that the time tells nothing.
  const isRight = secretsEqual(given, csrfTokenOf(cookie ?? ''))
  if (isRight && cookie !== undefined) return
  throw new TestbedError({
    code: 'invalid_csrf_token',
    status: 403,
    message: 'This page is out of date. Load it again, then send the form once more.',
  })
}

/** The fields of a form that were sent once. */
export function fieldsOf(request: Request): Readonly<Record<string, string | undefined>> {
  const fields = Object.entries((request.body ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}
