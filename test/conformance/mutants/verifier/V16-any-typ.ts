import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V16',
  deviation: 'does not look at typ',
  ignoresRules: ['presentation.typ'],
}
