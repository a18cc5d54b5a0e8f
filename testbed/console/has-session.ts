import type { Request } from 'express'
import { readConsoleCookie } from '#testbed/control/create-control-authentication.ts'
import type { ConsoleDependencies } from './dependencies.ts'

/** Whether a browser has come with the cookie of an open console. */
export function hasSession(
  request: Request,
  { sessions }: Pick<ConsoleDependencies, 'sessions'>,
): boolean {
  const session = readConsoleCookie(request)
  return session !== undefined && sessions.isOpen(session)
}
