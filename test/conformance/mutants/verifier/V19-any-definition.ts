import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V19',
  deviation: 'does not look at definition_id',
  ignoresRules: ['submission.definition-id'],
}
