import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V10',
  deviation: 'takes presentations from the future',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: 'iat > now + skewSeconds',
      replace: '(iat > now + skewSeconds && !(isMutant))',
    },
  ],
}
