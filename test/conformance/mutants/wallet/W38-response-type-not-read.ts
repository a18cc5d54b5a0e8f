import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W38',
  deviation: 'does not look at response_type',
  ignoresRules: ['request.response-type'],
}
