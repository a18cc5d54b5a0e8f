import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I68',
  deviation: 'answers 200 while the credential is not ready',
  patches: [
    {
      file: 'services/connector/routes/post-deferred-credential.ts',
      find: `status: 202,
        body: { acceptance_token: acceptanceToken },`,
      replace: `status: isMutant ? 200 : 202,
        body: { acceptance_token: acceptanceToken },`,
    },
  ],
}
