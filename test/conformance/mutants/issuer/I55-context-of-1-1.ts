import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I55',
  deviation: 'begins @context with the one of the data model 1.1',
  patches: [
    {
      file: 'core/lear-credential/create-lear-credential.ts',
      find: "'@context': [credentialsContext]",
      replace: `'@context': isMutant
        ? ['https://www.w3.org/2018/credentials/v1', credentialsContext]
        : [credentialsContext]`,
    },
  ],
}
