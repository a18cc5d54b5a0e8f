import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V71',
  deviation: 'does not look at nbf',
  ignoresRules: ['presentation.not-before'],
}
