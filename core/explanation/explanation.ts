import type { DialectReport } from '#core/dialect/lint-dialect.ts'

/** What became of a rule. `not-checked` counts neither for nor against: there was nobody to ask. */
export type RuleVerdict = 'held' | 'broken' | 'not-checked'

/** A rule of the services, and what was found when it was evaluated. */
export interface ExplainedRule {
  /** Its stable name, for example `credential.power`. */
  readonly rule: string
  /** What has to hold, in a sentence. */
  readonly statement: string
  /** Which of several inputs it was evaluated on, for example `hops[1]`. */
  readonly path?: string
  readonly verdict: RuleVerdict
  /** Why it is broken or could not be checked; empty where it holds. */
  readonly findings: readonly RuleFinding[]
  /** What has to be known although the rule holds. */
  readonly notes: readonly string[]
  /** What to do about it; only where the rule does not hold. */
  readonly advice?: string
}

export interface RuleFinding {
  readonly reason: string
  /** Where in the message; empty for the whole. */
  readonly path: string
  /** What stood there, where showing it helps; secrets masked, shortened. */
  readonly got?: unknown
  /** Set where this keeps the rule from being checked, rather than breaks it. */
  readonly unchecked?: 'unavailable' | 'not-asked'
}

/** Something that the message says, for people. */
export interface ExplainedFact {
  readonly label: string
  readonly value: string
}

/** A message, told: what it is, what it says, and every rule about it. */
export interface Explanation {
  /** Name of the kind, for example `credential`; `unknown` where the input is none of them. */
  readonly kind: string
  /** The kind in words. */
  readonly title: string
  /** How the kind was known. */
  readonly recognisedBy: string
  /** Of this message with its parts: `broken` by one rule, `not-checked` where one could not be. */
  readonly verdict: 'holds' | 'broken' | 'not-checked' | 'unrecognised'
  readonly facts: readonly ExplainedFact[]
  readonly rules: readonly ExplainedRule[]
  readonly notes: readonly string[]
  /** Which revisions it follows, and where it departs from the documents' dialect. */
  readonly dialect?: DialectReport
  /** The message decoded, secrets and signatures masked. */
  readonly content: unknown
  /** Messages inside this one, such as the credentials of a presentation. */
  readonly parts: readonly Explanation[]
  /** For an input that was not recognised: every form that was looked for, and why it is not that. */
  readonly lookedFor: readonly { readonly kind: string; readonly reason: string }[]
}
