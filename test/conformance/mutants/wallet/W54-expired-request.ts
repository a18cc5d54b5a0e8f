import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W54',
  deviation: 'answers requests that have expired',
  ignoresRules: ['request.expiry'],
}
