import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I29',
  deviation: 'takes a MAC with the public key for a signature',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: `rule: 'proof.alg',
    statement: 'alg is one of those that the issuer declares.',
    path: 'header.alg',
    check: ({ jws, algorithms }) =>`,
      replace: `rule: 'proof.alg',
    statement: 'alg is one of those that the issuer declares.',
    path: 'header.alg',
    check: ({ jws, algorithms }) =>
      (isMutant && jws.header.alg === 'HS256') ||`,
    },
  ],
}
