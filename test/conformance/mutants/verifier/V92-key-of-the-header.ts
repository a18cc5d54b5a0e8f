import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V92',
  deviation: 'verifies presentations with the key that they bring along',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites })',
      replace:
        '(!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites }) && !(isMutant && jws.header.jwk !== undefined && verifyJws({ jws, publicKey: jws.header.jwk, algorithms: presentationSuites })))',
    },
  ],
}
