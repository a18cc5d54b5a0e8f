import type { CheckBase, Finding, PlanName } from './check.ts'
import type { ExchangeLog } from './evidence/exchange-log.ts'

/** The system under test as results tell of it. */
export interface TargetDescription {
  readonly name: string
  readonly description?: string
  /** By what they are: `credential issuer`, `DID registry`; no secrets. */
  readonly addresses: Readonly<Record<string, string>>
}

/**
 * Shows that a system accepts what is good: one that refuses everything proves nothing by a refusal.
 * Where it does not hold, a check that rests on it is inconclusive for the control's reason.
 */
interface Control<Context extends CheckBase = CheckBase> {
  run(context: Context): Promise<Finding>
}

/** A plan that is ready to check one target. */
export interface OpenPlan<Context extends CheckBase = CheckBase> {
  readonly plan: PlanName
  readonly target: TargetDescription
  /** Algorithm of the keys that the kit uses, where it plays a wallet. */
  readonly algorithm: string
  /** Milliseconds that a check may take with this target, where that is more than otherwise. */
  readonly timeLimitMilliseconds?: number
  /** Why a need of a check is not met by this target, and what to add to it; undefined: it is met. */
  missing(need: string): string | undefined
  /** By the names that checks declare. */
  readonly controls?: Readonly<Record<string, Control<Context>>>
  /** What the checks get; called for each of them. */
  createContext(base: CheckBase): Context | Promise<Context>
  /** Called after each check: ends what it left behind. */
  settle?(): Promise<void> | void
  close(): Promise<void>
}

/** What every plan is opened with. */
export interface OpenPlanOptions {
  readonly exchanges: ExchangeLog
  /** Ends with the run. */
  readonly signal: AbortSignal
  /** Shows people what they have to do; where nobody is there, checks that need one are inconclusive. */
  readonly askPerson?: (question: string) => Promise<boolean | undefined>
  /** The variables that a target's `$NAME` stands for, and what its commands get of them. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Tells the operator something right away: where the page for a person is. */
  readonly say?: (text: string) => void
}
