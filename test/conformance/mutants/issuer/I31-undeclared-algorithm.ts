import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I31',
  deviation: 'takes ES256, which it does not declare',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: `path: 'header.alg',
    check: ({ jws, algorithms }) =>`,
      replace: `path: 'header.alg',
    check: ({ jws, algorithms }) =>
      (isMutant && jws.header.alg === 'ES256') ||`,
    },
  ],
}
