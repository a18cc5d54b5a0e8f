import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O19',
  deviation: 'has a verifier that never looks whether a credential has expired',
  ignoresRules: ['credential.expiry'],
}
