import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W22',
  deviation: 'does not look which environment a credential is from',
  ignoresRules: ['credential.terms-of-use'],
}
