import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V15',
  deviation: 'verifies by the algorithm of the key, whatever the header says',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites })',
      replace:
        "(!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites }) && !(isMutant && jws.header.jwk === undefined && verifyJws({ jws: { ...jws, header: { ...jws.header, alg: (holder.publicKey.crv === 'Ed25519' ? 'EdDSA' : 'ES256K') } }, publicKey: holder['publicKey'], algorithms: presentationSuites })))",
    },
  ],
}
