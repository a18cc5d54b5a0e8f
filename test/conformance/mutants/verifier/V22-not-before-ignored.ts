import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V22',
  deviation: 'takes credentials before their time',
  ignoresRules: ['credential.not-before'],
}
