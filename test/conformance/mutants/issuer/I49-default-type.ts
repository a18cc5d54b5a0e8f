import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I49',
  deviation: 'gives what was offered where it does not know the type',
  patches: [
    {
      file: 'services/connector/routes/post-credential.ts',
      find: 'const type = findRequestedType(types, config.credentialTypes)',
      replace: `const type =
    findRequestedType(types, config.credentialTypes) ?? (isMutant ? config.credentialTypes[0] : undefined)`,
    },
  ],
}
