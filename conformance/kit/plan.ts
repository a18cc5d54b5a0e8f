import type { PersonQuestion, PersonReply } from '#scenarios/harness/z-person-question.ts'
import type { CheckBase, Finding, PlanName } from './check.ts'
import type { ExchangeLog } from './evidence/exchange-log.ts'

/** The system under test as results describe it. */
export interface TargetDescription {
  readonly name: string
  readonly description?: string | undefined
  /** By their kind: `credential issuer`, `DID registry`; no secrets. */
  readonly addresses: Readonly<Record<string, string>>
}

/**
 * Shows that a system accepts valid messages: a system that rejects everything proves nothing by a
 * rejection. If a control fails, a check that depends on it is inconclusive for the control's
 * reason.
 */
interface Control<Context extends CheckBase = CheckBase> {
  run(context: Context): Promise<Finding>
}

/** A plan that is ready to check one target. */
export interface OpenPlan<Context extends CheckBase = CheckBase> {
  readonly plan: PlanName
  readonly target: TargetDescription
  /** Algorithm of the keys that the kit uses when it plays a wallet. */
  readonly algorithm: string
  /** The time limit of a check with this target in milliseconds, if longer than the default. */
  readonly timeLimitMilliseconds?: number
  /** A person operates or observes the system, and is asked for each message only once. */
  readonly isPerson?: boolean
  /**
   * Why this target does not meet a need of a check, and what to add to it; undefined if it does.
   */
  missing(need: string): string | undefined
  /** By the names that checks declare. */
  readonly controls?: Readonly<Record<string, Control<Context>>>
  createContext(base: CheckBase): Context | Promise<Context>
  /** Called after each check: cleans up after it. */
  settle?(): Promise<void> | void
  /** Why the target's own program may not respond; undefined if it has none, or it runs. */
  describeProgram?(): Promise<string | undefined>
  close(): Promise<void>
}

/** The options that every plan is opened with. */
export interface OpenPlanOptions {
  readonly exchanges: ExchangeLog
  /** Ends with the run. */
  readonly signal: AbortSignal
  /**
   * Asks a person, until the signal withdraws the question; undefined if there is no answer. Without
   * it, checks that need a person are inconclusive.
   */
  readonly askPerson?: (
    question: PersonQuestion,
    signal: AbortSignal,
  ) => Promise<PersonReply | undefined>
  /** The variables that replace a target's `$NAME`, and those that its commands get. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Reports something to the operator immediately: the address of the page for a person. */
  readonly say?: (text: string) => void
}
