import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I73',
  deviation: 'answers a revocation with 202',
  patches: [
    {
      file: 'services/issuer/routes/post-credential-revoke.ts',
      find: `status: 200,
      body: {`,
      replace: `status: isMutant ? 202 : 200,
      body: {`,
    },
  ],
}
