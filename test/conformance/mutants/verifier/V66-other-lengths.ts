import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V66',
  deviation: 'takes signatures of other forms',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites })',
      replace:
        "(!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites }) && !(isMutant && jws.signature.length !== 64 && jws.header.alg === 'ES256K'))",
    },
  ],
}
