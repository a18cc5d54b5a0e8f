import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I18',
  deviation: 'takes no notice of a PIN that it did not ask for',
  patches: [
    {
      file: 'services/connector/routes/post-token.ts',
      find: 'if (txCode === undefined) return',
      replace: 'if (isMutant || txCode === undefined) return',
    },
  ],
}
