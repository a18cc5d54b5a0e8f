import type { DialectKind } from '#core/dialect/lint-dialect.ts'
import type { RuleResults } from '#core/verification/evaluate-rules.ts'
import type { ExplainOptions } from './explain-options.ts'
import type { ExplainedFact, Explanation } from './explanation.ts'
import type { ExplanationInput } from './read-input.ts'

/** What a kind finds out about a message of its own. */
export interface ExplainedContent extends RuleResults {
  readonly facts: readonly ExplainedFact[]
  /** The message decoded; secrets are masked later. */
  readonly content: unknown
  readonly notes?: readonly string[]
  /** The message whose form tells the revision that it follows. */
  readonly dialect?: { readonly kind: DialectKind; readonly message: unknown }
  readonly parts?: readonly Explanation[]
}

/** Whether an input is of a kind, with how that was known or what is missing. */
export type Recognition =
  | {
      readonly ok: true
      readonly by: string
      readonly explain: (options: ExplainOptions) => ExplainedContent | Promise<ExplainedContent>
    }
  | { readonly ok: false; readonly reason: string }

/** A kind of message that can be explained. To add one, add it to a list of kinds. */
export interface ExplainableKind {
  /** Stable name, for example `credential-offer`. */
  readonly kind: string
  /** In words, for example `credential offer`. */
  readonly title: string
  /** Never throws for what the input holds. */
  readonly recognise: (input: ExplanationInput) => Recognition
}

/** The input is not of the kind, for the given reason. */
export function notRecognised(reason: string): Recognition {
  return { ok: false, reason }
}
