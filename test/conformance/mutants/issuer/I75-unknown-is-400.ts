import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I75',
  deviation: 'takes an unknown credential for a revoked one',
  patches: [
    {
      file: 'services/issuer/routes/post-credential-revoke.ts',
      find: 'if (!record) throw credentialNotFound()',
      replace: 'if (!record) throw isMutant ? alreadyRevoked() : credentialNotFound()',
    },
  ],
}
