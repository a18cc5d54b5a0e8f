import { maskSecrets } from '#core/json/mask-secrets.ts'

/** One broken rule that a verification of untrusted input found. */
export interface VerificationFailure {
  /** Stable name of the rule, for example `proof.nonce`. */
  readonly rule: string
  /** What is wrong, in plain text. */
  readonly reason: string
  /** Where in the input, for example `header.kid`; empty for the whole. */
  readonly path: string
  /** The value found, if it helps and is not secret. */
  readonly got?: unknown
  /**
   * Set if the rule could not be checked: the source did not answer (`unavailable`) or none is
   * configured (`not-asked`). Such a rule never counts as passed; the caller decides how to treat
   * it.
   */
  readonly unchecked?: 'unavailable' | 'not-asked'
}

/** The result of a verification, which never throws because of the other side's input. */
export type VerificationResult<Value extends object = object> =
  | ({ readonly ok: true } & Readonly<Value>)
  | { readonly ok: false; readonly failures: readonly VerificationFailure[] }

/**
 * The result of a query to another service. `not-found` is an answer. `unavailable` means that no
 * answer arrived within the limits, or that the answer is not valid. `not-asked` means that no
 * service is configured. None of them ever counts as passed.
 *
 * @assumption A-29
 */
export type Lookup<Value> = { readonly ok: true; readonly value: Value } | FailedLookup

export interface FailedLookup {
  readonly ok: false
  readonly kind: 'not-found' | 'unavailable' | 'not-asked'
  readonly reason: string
}

/** How a rule reports its results. */
export interface RuleReport {
  /** The rule is broken. A rule may report several failures. */
  fail(reason: string, path?: string, got?: unknown): void
  /**
   * The rule fails because a lookup failed. It counts as broken only if the answer was "not found".
   */
  lack(lookup: FailedLookup, reason?: string): void
  /** A remark for the explanation of a rule that passes. */
  note(text: string): void
}

/** What a rule says, without its evaluation. */
export interface RuleText {
  /** Stable name, for example `credential.power`. */
  readonly rule: string
  /** The requirement, in plain text. */
  readonly statement: string
  /**
   * How to fix a message that breaks the rule: one or two sentences for its author, with the claim,
   * header or parameter to change.
   */
  readonly fix: string
  /** Where in the input the rule looks; the default path of its failures; empty for the whole. */
  readonly path: string
}

/** A named rule about an input; it never throws because of the input's content. */
export interface Rule<Input> extends RuleText {
  readonly evaluate: (input: Input, report: RuleReport) => void
}

/** The verdict on one rule. */
export interface CheckedRule {
  readonly rule: string
  /** Which of several inputs it was evaluated on, for example `hops[1]`. */
  readonly path?: string
  readonly statement: string
  /** How to fix it; only if the rule is broken, not if it passes or could not be checked. */
  readonly fix?: string
  readonly passed: boolean
  readonly notes: readonly string[]
}

export interface RuleResults {
  readonly failures: readonly VerificationFailure[]
  readonly checked: readonly CheckedRule[]
}

const longestShown = 200

/**
 * Evaluates every rule in the list, in order, including those after a failure.
 *
 * @assumption A-28
 */
export function evaluateRules<Input>(rules: readonly Rule<Input>[], input: Input): RuleResults {
  const failures: VerificationFailure[] = []
  const checked: CheckedRule[] = []
  for (const { evaluate, ...text } of rules) {
    const { rule, path } = text
    const notes: string[] = []
    const before = failures.length
    evaluate(input, {
      fail: (reason, where = path, got) =>
        failures.push({
          rule,
          reason,
          path: where,
          ...(got === undefined ? {} : { got: shorten(got) }),
        }),
      lack: (lookup, reason = lookup.reason) =>
        failures.push({ rule, reason, path, ...uncheckedBy(lookup) }),
      note: (text) => notes.push(text),
    })
    checked.push(conclude(text, failures.slice(before), notes))
  }
  return { failures, checked }
}

/** The verdict on a rule with these failures. */
export function conclude(
  { rule, statement, fix }: RuleText,
  failures: readonly VerificationFailure[],
  notes: readonly string[] = [],
): CheckedRule {
  const isBroken = failures.some(({ unchecked }) => unchecked === undefined)
  return { rule, statement, ...(isBroken ? { fix } : {}), passed: failures.length === 0, notes }
}

/** The results for an input that breaks a rule without which no other rule can be evaluated. */
export function breakRule(text: RuleText, reason: string): RuleResults {
  const failures = [{ rule: text.rule, reason, path: text.path }]
  return { failures, checked: [conclude(text, failures)] }
}

/** Marks a failure that comes from a lookup without an answer. */
export function uncheckedBy({ kind }: FailedLookup): Pick<VerificationFailure, 'unchecked'> {
  return kind === 'not-found' ? {} : { unchecked: kind }
}

/** A value from a message as an explanation shows it: at most 200 characters, and without secrets. */
export function shorten(held: unknown): unknown {
  const got = maskSecrets(held)
  const text = typeof got === 'string' ? got : JSON.stringify(got)
  if (text === undefined || text.length <= longestShown) return got
  return `${text.slice(0, longestShown)}…`
}
