import type { Request } from 'express'
import type { Dependencies } from '../dependencies.ts'
import { csrfTokenOf } from './csrf-token-of.ts'
import { readSessionCookie } from './session-cookie.ts'

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
