import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W18',
  deviation: 'does not look whom a credential is about',
  ignoresRules: ['credential.holder'],
}
