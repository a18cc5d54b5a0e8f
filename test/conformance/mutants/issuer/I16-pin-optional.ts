import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I16',
  deviation: 'takes a request without the PIN that the offer asks for',
  patches: [
    {
      file: 'services/connector/routes/post-token.ts',
      find: 'if (txCode === undefined) {',
      replace: `if (isMutant && txCode === undefined) return
  if (txCode === undefined) {`,
    },
  ],
}
