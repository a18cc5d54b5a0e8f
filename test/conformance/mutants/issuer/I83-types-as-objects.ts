import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I83',
  deviation: 'tells the types of a subject as objects',
  patches: [
    {
      file: 'services/issuer/routes/post-identifiers.ts',
      find: 'config.credentialTypes.map(({ vcType }) => vcType)',
      replace: 'config.credentialTypes.map(({ vcType }) => (isMutant ? { id: vcType } : vcType))',
    },
  ],
}
