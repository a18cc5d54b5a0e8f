import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I28',
  deviation: 'honours alg none',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: `algorithms.some((name) => name === jws.header.alg)
        ? undefined`,
      replace: `(isMutant && jws.header.alg === 'none') || algorithms.some((name) => name === jws.header.alg)
        ? undefined`,
    },
  ],
}
