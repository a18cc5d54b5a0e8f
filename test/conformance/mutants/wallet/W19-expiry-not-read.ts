import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W19',
  deviation: 'does not look when a credential expires',
  ignoresRules: ['credential.expiry'],
}
