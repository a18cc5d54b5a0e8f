import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W76',
  deviation: 'answers requests with alg none',
  patches: [
    {
      file: 'core/oid4vp/authorization-request/verify-signed-request.ts',
      find: '!verifyJws({ jws, publicKey, algorithms })',
      replace:
        "!(isMutant && jws.header.alg === 'none') && !verifyJws({ jws, publicKey, algorithms })",
    },
  ],
}
