import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V05',
  deviation: 'takes any 64 bytes for a signature with ES256K',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites })',
      replace:
        "(!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites }) && !(isMutant && jws.signature.length === 64 && jws.header.jwk === undefined && jws.header.alg === 'ES256K' && holder.publicKey.crv === 'secp256k1'))",
    },
  ],
}
