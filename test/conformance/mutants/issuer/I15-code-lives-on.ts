import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I15',
  deviation: 'does not look at how old a code is',
  patches: [
    {
      file: 'services/connector/routes/post-token.ts',
      find: 'if (offer_expires_at <= now) {',
      replace: 'if (offer_expires_at <= now && !isMutant) {',
    },
  ],
}
