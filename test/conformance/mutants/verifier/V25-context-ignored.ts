import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V25',
  deviation: 'does not look at @context',
  ignoresRules: ['credential.context'],
}
