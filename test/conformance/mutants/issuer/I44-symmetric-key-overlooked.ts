import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I44',
  deviation: 'overlooks a symmetric key in the header',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: "'k' in jwk || ('kty' in jwk && jwk.kty === 'oct')",
      replace: "(('k' in jwk || ('kty' in jwk && jwk.kty === 'oct')) && !isMutant)",
    },
  ],
}
