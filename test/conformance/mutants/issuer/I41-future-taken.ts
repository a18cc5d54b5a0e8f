import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I41',
  deviation: 'takes proofs of the future',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: 'return payload.iat > now + skewSeconds ?',
      replace: 'return payload.iat > now + skewSeconds && !isMutant ?',
    },
  ],
}
