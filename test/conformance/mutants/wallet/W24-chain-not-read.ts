import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W24',
  deviation: 'does not look at the chain of types',
  ignoresRules: ['credential.type-chain'],
}
