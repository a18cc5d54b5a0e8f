import type { RuleResults } from '#core/verification/evaluate-rules.ts'
import type { ExplainedContent } from './explainable-kind.ts'

/** What was found around a message, and then in the message itself. */
export function joinContents(
  before: RuleResults & Partial<ExplainedContent>,
  after: ExplainedContent,
): ExplainedContent {
  return {
    ...after,
    facts: [...(before.facts ?? []), ...after.facts],
    failures: [...before.failures, ...after.failures],
    checked: [...before.checked, ...after.checked],
  }
}
