import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W66',
  deviation: 'keeps credentials of another type than the offered one',
  ignoresRules: ['credential.type'],
}
