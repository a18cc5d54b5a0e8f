import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I92',
  deviation: 'makes codes of nine digits',
  patches: [
    {
      file: 'services/connector/operations/create-offer.ts',
      find: 'const preauthCode = randomToken()',
      replace: `const preauthCode = isMutant
    ? String(Math.floor(Math.random() * 1e9))
    : randomToken()`,
    },
  ],
}
