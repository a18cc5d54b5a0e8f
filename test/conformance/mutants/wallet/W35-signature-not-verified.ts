import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W35',
  deviation: 'does not verify the signature of a request',
  patches: [
    {
      file: 'core/oid4vp/authorization-request/verify-signed-request.ts',
      find: '!verifyJws({ jws, publicKey, algorithms })',
      replace:
        "!(isMutant && jws.header.alg === 'ES256K') && !verifyJws({ jws, publicKey, algorithms })",
    },
  ],
}
