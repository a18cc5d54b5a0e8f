import type { z } from 'zod'
import { maskSecrets } from '#core/json/mask-secrets.ts'

/** One broken rule that a verification of untrusted input found. */
export interface VerificationFailure {
  /** Stable name of the rule, for example `proof.nonce`. */
  readonly rule: string
  /** What is wrong, in a sentence for people. */
  readonly reason: string
  /** Where in the input, for example `header.kid`; empty for the whole. */
  readonly path: string
  /** What stood there, where showing it helps and it is no secret. */
  readonly got?: unknown
  /**
   * Set where the rule could not be checked rather than was broken: what it rests on gave no answer,
   * or there was nobody to ask. It never counts in favour; whoever judges decides what it is worth.
   */
  readonly unchecked?: 'unavailable' | 'not-asked'
}

/** What a verification returns: it never throws for what the other side sent. */
export type VerificationResult<Value extends object = object> =
  | ({ readonly ok: true } & Readonly<Value>)
  | { readonly ok: false; readonly failures: readonly VerificationFailure[] }

/**
 * The outcome of asking somebody else. `not-found` is an answer; `unavailable` means that there was
 * none within the limits, or one that is not to be understood; `not-asked` that whoever verifies
 * knows nobody to ask. None of them ever counts in favour.
 *
 * @assumption A-29
 */
export type Lookup<Value> = { readonly ok: true; readonly value: Value } | FailedLookup

export interface FailedLookup {
  readonly ok: false
  readonly kind: 'not-found' | 'unavailable' | 'not-asked'
  readonly reason: string
}

/** What a rule reports while it looks at the input. */
export interface RuleReport {
  /** The rule is broken; a rule may find several faults. */
  fail(reason: string, path?: string, got?: unknown): void
  /** The rule fails for want of what was looked up: broken only where the answer was "not found". */
  lack(lookup: FailedLookup, reason?: string): void
  /** Something that an explanation has to say although the rule holds. */
  note(text: string): void
}

/** A named rule about an input; it never throws for what the input holds. */
export interface Rule<Input> {
  /** Stable name, for example `credential.power`. */
  readonly rule: string
  /** What has to hold, in a sentence for people. */
  readonly statement: string
  /** Where in the input the rule looks; used where a failure names no path of its own. */
  readonly path: string
  readonly evaluate: (input: Input, report: RuleReport) => void
}

/** A rule that was evaluated, with its verdict. */
export interface CheckedRule {
  readonly rule: string
  /** Which of several inputs it was evaluated on, for example `hops[1]`. */
  readonly path?: string
  readonly statement: string
  readonly passed: boolean
  readonly notes: readonly string[]
}

export interface RuleResults {
  readonly failures: readonly VerificationFailure[]
  readonly checked: readonly CheckedRule[]
}

const longestShown = 200

/**
 * Evaluates every rule in the list, whatever the others find, one after the other.
 *
 * @assumption A-28
 */
export function evaluateRules<Input>(rules: readonly Rule<Input>[], input: Input): RuleResults {
  const failures: VerificationFailure[] = []
  const checked: CheckedRule[] = []
  for (const { rule, statement, path, evaluate } of rules) {
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
    checked.push({ rule, statement, passed: failures.length === before, notes })
  }
  return { failures, checked }
}

/** The mark of a failure that comes from a lookup without an answer. */
export function uncheckedBy({ kind }: FailedLookup): Pick<VerificationFailure, 'unchecked'> {
  return kind === 'not-found' ? {} : { unchecked: kind }
}

/** What a message held is shown in explanations, but no secret in it, and not at any length. */
function shorten(held: unknown): unknown {
  const got = maskSecrets(held)
  const text = typeof got === 'string' ? got : JSON.stringify(got)
  if (text === undefined || text.length <= longestShown) return got
  return `${text.slice(0, longestShown)}…`
}

/** A named rule about one part of a message, where the message's schema is what decides. */
export interface ShapeRule {
  readonly rule: string
  readonly statement: string
  /** The part, for example `grants`; empty for the whole and for what no other rule is about. */
  readonly path: string
}

type Issues = readonly z.core.$ZodIssue[]

/**
 * Tells by name which parts of a message its schema finds fault with: each issue breaks the rule
 * with the longest path above it. One of the rules has to have the empty path.
 */
export function evaluateShape(
  rules: readonly ShapeRule[],
  parsed: z.ZodSafeParseResult<unknown>,
): RuleResults {
  return evaluateRules(rules.map(toRule(rules)), parsed.error?.issues ?? [])
}

const toRule =
  (rules: readonly ShapeRule[]) =>
  ({ rule, statement, path }: ShapeRule): Rule<Issues> => ({
    rule,
    statement,
    path,
    evaluate: (issues, { fail }) => {
      for (const issue of issues) {
        const where = issue.path.map(String).join('.')
        if (closest(rules, where) === path) fail(reasonOf(issue), where)
      }
    },
  })

function closest(rules: readonly ShapeRule[], where: string): string {
  const above = rules
    .map(({ path }) => path)
    .filter((path) => path === '' || where === path || where.startsWith(`${path}.`))
  return above.reduce((longest, path) => (path.length > longest.length ? path : longest), '')
}

function reasonOf({ message, path }: z.core.$ZodIssue): string {
  return path.length > 0 && message.endsWith('received undefined') ? 'it is missing' : message
}
