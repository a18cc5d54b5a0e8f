import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V07',
  deviation: 'does not compare the nonce',
  ignoresRules: ['presentation.nonce'],
}
