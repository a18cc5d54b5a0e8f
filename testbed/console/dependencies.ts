import type { Request } from 'express'
import { readCookie } from '#kit/read-request.ts'
import type { Runtime } from '#kit/runtime.ts'
import { consoleCookie } from '#testbed/control/authentication.ts'
import type { ControlDependencies } from '#testbed/control/dependencies.ts'
import type { Address } from '#testbed/services/addresses.ts'
import type { ExchangeLog } from './exchanges/exchange-log.ts'
import type { Portal } from './portal/portal.ts'
import type { OwnDids } from './registries/own-dids.ts'
import type { Runs } from './runs/runs.ts'
import type { SavedTargets } from './runs/saved-targets.ts'
import type { SignIns } from './sign-in/create-sign-ins.ts'
import type { Tours } from './tour/tours.ts'
import type { ConsoleWallets } from './wallets/console-wallets.ts'

/** Where the HTTP API of the mail server is. */
export interface MailAddresses {
  /** For browsers. */
  readonly url: string
  /** For this machine, which the public address may not reach. */
  readonly localUrl: string
}

/** What the console's pages need in addition to the control interface. */
export interface ConsoleDependencies extends ControlDependencies {
  readonly addresses: readonly Address[]
  readonly runtime: Runtime
  /** The exchanges between the parts, as rows of a diagram. */
  readonly exchanges: ExchangeLog
  /** Paths of the pages that exist. */
  readonly built: ReadonlySet<string>
  readonly mail: MailAddresses
  /** Unix milliseconds of the testbed's clock; the services wrote the trust chain before. */
  readonly startedAt: number
  /** Where the console serves the documentation; undefined if there is none. */
  readonly documentationPath: string | undefined
  /** The wallets that the console holds. */
  readonly wallets: ConsoleWallets
  /** The DIDs that people registered on the console. */
  readonly ownDids: OwnDids
  /** Sign-ins at the demo relying party and the portal. */
  readonly signIns: SignIns
  readonly portal: Portal
  readonly tours: Tours
  /** Runs of conformance plans and suites. */
  readonly runs: Runs
  /** Target files of conformance plans. */
  readonly targets: SavedTargets
  /** Whether only this machine reaches the console. */
  readonly isLoopback: boolean
}

/** The open session of a browser that has the console's cookie. */
export function sessionOf(
  request: Request,
  { sessions }: Pick<ConsoleDependencies, 'sessions'>,
): string | undefined {
  const session = readCookie(request, consoleCookie)
  return session !== undefined && sessions.isOpen(session) ? session : undefined
}
