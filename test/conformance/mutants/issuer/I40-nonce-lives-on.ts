import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I40',
  deviation: 'does not look at how old a c_nonce is',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: 'cNonce.expiresAt <= now ?',
      replace: 'cNonce.expiresAt <= now && !isMutant ?',
    },
  ],
}
