import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V57',
  deviation: 'does not know EdDSA with did:jwk',
  patches: [
    {
      file: 'core/oid4vp/vp-token/verify-vp-token.ts',
      find: "typeof header.kid === 'string'",
      replace:
        "(typeof header.kid === 'string' && !(isMutant && header.kid.startsWith('did:jwk:') && header.alg === 'EdDSA'))",
    },
  ],
}
