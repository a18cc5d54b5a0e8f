import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W65',
  deviation: 'does not look at the status of a credential',
  ignoresRules: ['credential.status'],
}
