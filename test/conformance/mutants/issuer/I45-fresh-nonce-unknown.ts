import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I45',
  deviation: 'hands out a fresh c_nonce and forgets it',
  patches: [
    {
      file: 'services/connector/routes/post-credential.ts',
      find: 'await dependencies.issuances.setNonce(issuance.id, cNonce, expiresAt)',
      replace:
        'await dependencies.issuances.setNonce(issuance.id, isMutant ? randomToken() : cNonce, expiresAt)',
    },
  ],
}
