import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V55',
  deviation: 'does not know EdDSA with did:key',
  patches: [
    {
      file: 'core/oid4vp/vp-token/verify-vp-token.ts',
      find: "typeof header.kid === 'string'",
      replace:
        "(typeof header.kid === 'string' && !(isMutant && header.kid.startsWith('did:key:z6Mk')))",
    },
  ],
}
