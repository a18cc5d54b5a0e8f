import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I71',
  deviation: 'does not look at the access token of a poll',
  patches: [
    {
      file: 'services/connector/routes/post-deferred-credential.ts',
      find: 'if (header === undefined) return',
      replace: 'if (header === undefined || isMutant) return',
    },
  ],
}
