import type { VerificationFailure } from '#core/errors/verification-failure.ts'
import { maskSecrets } from '#core/json/mask-secrets.ts'
import type { FailedLookup } from './lookup.ts'

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
