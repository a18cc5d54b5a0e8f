import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W39',
  deviation: 'does not look at response_mode',
  ignoresRules: ['request.response-mode'],
}
