import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W23',
  deviation: 'does not look at the @context of a credential',
  ignoresRules: ['credential.context'],
}
