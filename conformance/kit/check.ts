import { TestbedError } from '#core/errors/testbed-error.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'
import type { HttpClient } from '#scenarios/harness/http-client.ts'
import type { ExchangeLog } from './evidence/exchange-log.ts'

/** The context that every check of every plan gets. */
export interface CheckBase {
  /** Everything that was sent and received, for the evidence. */
  readonly exchanges: ExchangeLog
  /**
   * HTTP in a part that the kit plays (`wallet`, `relying-party`, …), with the system under test
   * or with another system next to it; recorded.
   */
  httpAs(part: string, to?: string): HttpClient
  /** Controls that passed in this run, by name. A check that proves one in passing adds it. */
  readonly proven: Set<string>
  /** Unix seconds. */
  readonly now: () => number
  /**
   * Set if the system has just rejected all messages of the check. A few of them, with other
   * values, show whether it rejects them again: see `dueCases`.
   */
  readonly isRepetition?: boolean
  /** Ends with the check's time limit or an interrupt. */
  readonly signal: AbortSignal
}

/** What a check observed and concluded about the system under test. */
export interface Finding {
  /**
   * `held`: it met the requirement. `broken`: it visibly did not. `inconclusive`: nothing was
   * observed that would show either; never counts in favour.
   */
  readonly kind: 'held' | 'broken' | 'inconclusive'
  /** What was found, as a sentence. */
  readonly reason: string
  /**
   * Where the verdict was observed: `HTTP status of the token endpoint`, `exit code of
   * accept-offer`.
   */
  readonly verdictSource?: string
  readonly expected?: unknown
  readonly actual?: unknown
  /**
   * Set if the finding has a lower level than the check: the system rejected the message, as the
   * profile requires, but with an error code that OpenID4VCI does not have.
   */
  readonly level?: CheckLevel
  /** It accepted what it must reject: that counts whether or not the check's control passes. */
  readonly isAcceptance?: true
  /**
   * Rests on an HTTP 500 or a crash: a repeated one is broken if the system serves valid messages.
   */
  readonly isOutage?: true
  /** What its developer changes, if that is not the fix of the check. */
  readonly fix?: string
  /** Other examined cases of the check that failed. */
  readonly also?: readonly Finding[]
  /** Something that the check depends on failed, so that it is inconclusive. */
  readonly isBlocked?: true
  /** Broken rules by name, if a verification of what the system sent found them. */
  readonly failures?: readonly VerificationFailure[]
}

export type FindingDetails = Omit<Finding, 'kind' | 'reason'>

/** The system met the requirement. */
export const held = (reason: string, details: FindingDetails = {}): Finding => ({
  kind: 'held',
  reason,
  ...details,
})

/** The system visibly did not meet the requirement. */
export const broken = (reason: string, details: FindingDetails = {}): Finding => ({
  kind: 'broken',
  reason,
  ...details,
})

/** The system accepted what it must reject, which counts without a control. */
export const wronglyAccepted = (reason: string, details: FindingDetails = {}): Finding =>
  broken(reason, { ...details, isAcceptance: true })

/** Nothing was observed that would show either; the reason says what is missing. */
export const inconclusive = (reason: string, details: FindingDetails = {}): Finding => ({
  kind: 'inconclusive',
  reason,
  ...details,
})

const longestValue = 200

/** Broken rules as text: where the message breaks each of them, and which value it has there. */
export function describeBrokenRules(failures: readonly VerificationFailure[]): string {
  const described = failures.map(({ rule, path, reason, got }) => {
    const where = path === '' ? '' : ` at ${path}`
    const value = got === undefined ? undefined : JSON.stringify(got)?.slice(0, longestValue)
    return `${rule}${where}: ${reason}${value === undefined ? '' : ` (found ${value})`}`
  })
  return described.join('; ')
}

const code = 'check_ended'

/** Ends a check from any depth. */
export function endCheck(finding: Finding): never {
  const { reason: message } = finding
  throw new TestbedError({ code, status: 500, message, extra: { finding } })
}

/** The finding that {@link endCheck} ended a check with; undefined for any other error. */
export function endedWith(error: unknown): Finding | undefined {
  if (!(error instanceof TestbedError) || error.code !== code) return undefined
  return error.extra.finding as Finding
}

/** The plans: one for each kind of third-party system. */
export const planNames = [
  'wallet',
  'verifier',
  'issuer',
  'idp',
  'relying-party',
  'did-registry',
  'tir',
] as const
export type PlanName = (typeof planNames)[number]

/**
 * The level of a check. `spec`: a statement of the profile requires it, and breaking it is a FAIL.
 * `final` (a clause of OpenID4VCI 1.0, OpenID4VP 1.0 or a standard that they build on) and
 * `practice` (what careful systems do) are a WARN unless the run is strict.
 */
export type CheckLevel = 'spec' | 'final' | 'practice'

/** What the system under test must do: accept, refuse, or follow good practice (`advice`). */
export type CheckExpectation = 'accept' | 'refuse' | 'advice'

/** One requirement that a plan checks. Data plus code: only its file registers it. */
export interface Check<Context extends CheckBase = CheckBase> {
  /** Stable, a letter and a number: `W07`. */
  readonly id: string
  /** What a passing system does, as a sentence. */
  readonly title: string
  readonly level: CheckLevel
  readonly expectation: CheckExpectation
  /** Ids of the statements of the profile that require it; at least one if the level is `spec`. */
  readonly rows?: readonly string[]
  /**
   * Clauses of the standards that it follows, as in docs/coverage/clauses.tsv: `OpenID4VCI 1.0,
   * 4.1.1`.
   */
  readonly clauses?: readonly string[]
  /** Why it matters: what an attacker could do to a system that fails. */
  readonly description: string
  /** What the kit sends or does. */
  readonly sends: string
  /** What the verdict depends on. */
  readonly decides: string
  /**
   * What its developer changes in a system that fails: one or two sentences in the imperative that
   * name the parameter, claim or status code; at most 280 characters.
   */
  readonly fix: string
  /** Names of the wallet faults and of the defects of credentials that it sends, for its page. */
  readonly deviations?: readonly string[]
  /** What the target must offer for it, by the plan's own names: `clock`, `second-client`. */
  readonly needs?: readonly string[]
  /**
   * The plan's control that must pass before a finding of the check counts. It is evaluated once a
   * run, and only after the check has found something that depends on it.
   */
  readonly control?: string
  /** Without a control, it reads the verdict of the target anyway: a person may have to look. */
  readonly observes?: true
  /** Milliseconds; by default the run's limit. */
  readonly timeLimitMilliseconds?: number
  run(context: Context): Promise<Finding>
}

/** Characters of a fix, so that it fits next to each failure in a terminal and in annotations. */
const longestFix = 280

/**
 * Declares a check.
 * @throws TypeError if the id is invalid, a text field is empty, the fix is too long, or the level
 * has no source
 */
export function defineCheck<Context extends CheckBase>(check: Check<Context>): Check<Context> {
  const { id, title, level, description, sends, decides, fix, rows = [], clauses = [] } = check
  if (!/^[A-Z][0-9]{2,3}$/.test(id))
    throw new TypeError(`${id}: an id must be a letter and a number`)
  for (const [name, text] of Object.entries({ title, description, sends, decides, fix })) {
    if (text.trim() === '') throw new TypeError(`${id}: the text ${name} is missing`)
  }
  if (fix.length > longestFix) {
    throw new TypeError(`${id}: fix has ${fix.length} characters, ${longestFix} are allowed`)
  }
  if (level === 'spec' && rows.length === 0) {
    throw new TypeError(`${id}: a check of level spec must name the rows that require it`)
  }
  if (level === 'final' && clauses.length === 0) {
    throw new TypeError(`${id}: a check of level final must name the clause that requires it`)
  }
  return Object.freeze({ ...check })
}

/** What the row of any table says about its check. */
export type CheckTexts = Pick<Check, 'title' | 'level' | 'description' | 'fix'> &
  Partial<Pick<Check, 'rows' | 'clauses' | 'needs'>>

/** A check as a row of a table: its name there begins with its id. */
export type CheckRow<Context extends CheckBase> = Omit<Check<Context>, 'id'>

/** Declares the checks of a chapter by name: `D25-register-by-unrelated-party`. */
export function defineChecks<Context extends CheckBase>(
  rows: Readonly<Record<`${string}-${string}`, CheckRow<Context>>>,
): Record<string, Check<Context>>
/** Declares a table of checks that differ only in what their rows contain. */
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
