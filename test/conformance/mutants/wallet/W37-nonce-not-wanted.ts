import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W37',
  deviation: 'answers requests without a nonce',
  ignoresRules: ['request.nonce'],
}
