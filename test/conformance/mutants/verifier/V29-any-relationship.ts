import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V29',
  deviation: 'takes any key of the DID document',
  ignoresRules: ['credential.issuer-key'],
}
