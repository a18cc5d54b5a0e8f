import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V26',
  deviation: 'does not look at mandate.power',
  ignoresRules: ['credential.power'],
}
