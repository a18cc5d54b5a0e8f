import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V75',
  deviation: 'takes accreditations that have expired',
  ignoresRules: ['trust.period'],
}
