import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W17',
  deviation: 'does not verify the signature of a credential',
  ignoresRules: ['credential.signature'],
}
