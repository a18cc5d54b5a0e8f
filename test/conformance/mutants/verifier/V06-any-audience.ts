import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V06',
  deviation: 'takes presentations for other verifiers',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: 'jws.payload.aud !== audience',
      replace: '(jws.payload.aud !== audience && !(isMutant && !Array.isArray(jws.payload.aud)))',
    },
  ],
}
