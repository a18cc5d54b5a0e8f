import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V69',
  deviation: 'takes presentations of any lifetime',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: 'exp - iat > longestLifetime',
      replace: '(exp - iat > longestLifetime && !(isMutant))',
    },
  ],
}
