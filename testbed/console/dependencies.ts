import type { Request } from 'express'
import { z } from 'zod'
import type { Runtime } from '#kit/runtime.ts'
import { readConsoleCookie } from '#testbed/control/authentication.ts'
import type { ControlDependencies } from '#testbed/control/dependencies.ts'
import type { Address } from '#testbed/services/addresses.ts'

/** What the console's pages need in addition to the control interface. */
export interface ConsoleDependencies extends ControlDependencies {
  readonly addresses: readonly Address[]
  readonly runtime: Runtime
  /** Where the console serves the documentation; undefined if there is none. */
  readonly documentationPath: string | undefined
}

/** Whether a browser has the cookie of an open console. */
export function hasSession(
  request: Request,
  { sessions }: Pick<ConsoleDependencies, 'sessions'>,
): boolean {
  const session = readConsoleCookie(request)
  return session !== undefined && sessions.isOpen(session)
}

/** The page number in a console's address; the first page if it is invalid. */
export const zConsolePage = z.coerce.number().int().min(1).max(1_000_000).catch(1)
