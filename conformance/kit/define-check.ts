import type { CheckBase } from './check-base.ts'
import type { Finding } from './finding.ts'

/** The plans: one for each kind of system that somebody else may have written. */
export const planNames = ['wallet', 'verifier', 'issuer', 'idp', 'did-registry', 'tir'] as const
export type PlanName = (typeof planNames)[number]

/**
 * How much a check weighs. `spec`: a sentence of the documents demands it, and breaking it is a FAIL.
 * `final` (a clause of OpenID4VCI 1.0, OpenID4VP 1.0 or a standard that they build on) and `practice`
 * (what good systems do) are a WARN unless the run is strict.
 */
export type CheckLevel = 'spec' | 'final' | 'practice'

/** What the system under test has to do: accept, refuse, or is better advised to do (`advice`). */
export type CheckExpectation = 'accept' | 'refuse' | 'advice'

/** One thing that a plan checks. Data plus code: nothing but its file registers it. */
export interface Check<Context extends CheckBase = CheckBase> {
  /** Stable, a letter and a number: `W07`. */
  readonly id: string
  /** What holds of a system that passes, in a sentence. */
  readonly title: string
  readonly level: CheckLevel
  readonly expectation: CheckExpectation
  /** Ids of the rows of the documents that demand it; at least one where the level is `spec`. */
  readonly rows?: readonly string[]
  /** Clauses of the standards behind it, as in docs/coverage/clauses.tsv: `OpenID4VCI 1.0, 4.1.1`. */
  readonly clauses?: readonly string[]
  /** Why it matters: what somebody could do to a system that fails. */
  readonly description: string
  /** What the kit sends or does. */
  readonly sends: string
  /** By what the verdict is reached. */
  readonly decides: string
  /** What the target has to offer for it, by the plan's own names: `clock`, `second-client`. */
  readonly needs?: readonly string[]
  /**
   * The plan's control that has to hold for what the check finds to count. It is evaluated once a
   * run, and only after the check has found something that rests on it.
   */
  readonly control?: string
  /** Milliseconds; by default the run's limit. */
  readonly timeLimitMilliseconds?: number
  run(context: Context): Promise<Finding>
}

/**
 * Declares a check.
 * @throws TypeError where the id is none, a text is missing, or no source stands behind its level
 */
export function defineCheck<Context extends CheckBase>(check: Check<Context>): Check<Context> {
  const { id, title, level, description, sends, decides, rows = [], clauses = [] } = check
  if (!/^[A-Z][0-9]{2,3}$/.test(id)) throw new TypeError(`${id}: an id is a letter and a number`)
  for (const [name, text] of Object.entries({ title, description, sends, decides })) {
    if (text.trim() === '') throw new TypeError(`${id}: the text ${name} is missing`)
  }
  if (level === 'spec' && rows.length === 0) {
    throw new TypeError(`${id}: a check of level spec names the rows that demand it`)
  }
  if (level === 'final' && clauses.length === 0) {
    throw new TypeError(`${id}: a check of level final names the clause that demands it`)
  }
  return Object.freeze({ ...check })
}

/** What the row of any table tells of its check. */
export type CheckTexts = Pick<Check, 'title' | 'level' | 'description'> &
  Partial<Pick<Check, 'rows' | 'clauses' | 'needs'>>

/** A check as a row of a table: its name there begins with its id. */
export type CheckRow<Context extends CheckBase> = Omit<Check<Context>, 'id'>

/** Declares the checks of a chapter by name: `D25-register-by-stranger`. */
export function defineChecks<Context extends CheckBase>(
  rows: Readonly<Record<`${string}-${string}`, CheckRow<Context>>>,
): Record<string, Check<Context>>
/** Declares a table of checks that differ in what its rows hold alone. */
export function defineChecks<Context extends CheckBase, Row>(
  rows: Readonly<Record<`${string}-${string}`, Row>>,
  toCheck: (row: Row) => CheckRow<Context>,
): Record<string, Check<Context>>
export function defineChecks<Context extends CheckBase>(
  rows: Readonly<Record<string, CheckRow<Context>>>,
  toCheck: (row: CheckRow<Context>) => CheckRow<Context> = (row) => row,
): Record<string, Check<Context>> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => {
      const id = name.slice(0, name.indexOf('-'))
      return [name, defineCheck<Context>({ id, ...toCheck(row) })]
    }),
  )
}
