import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V58',
  deviation: 'takes low s alone',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites })',
      replace:
        "((isMutant && jws.header.alg === 'ES256K' && jws.signature[32] > 0x7f) || !verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites }))",
    },
  ],
}
