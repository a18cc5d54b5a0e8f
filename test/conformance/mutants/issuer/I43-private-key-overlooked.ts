import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I43',
  deviation: 'overlooks a private key in the header',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: "'d' in jwk ||",
      replace: "('d' in jwk && !isMutant) ||",
    },
  ],
}
