import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W77',
  deviation: "takes an HMAC for the verifier's signature",
  patches: [
    {
      file: 'core/oid4vp/authorization-request/verify-signed-request.ts',
      find: '!verifyJws({ jws, publicKey, algorithms })',
      replace:
        "!(isMutant && jws.header.alg === 'HS256') && !verifyJws({ jws, publicKey, algorithms })",
    },
  ],
}
