import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I46',
  deviation: 'says 401 without a challenge',
  patches: [
    {
      file: 'services/connector/operations/authenticate-access-token.ts',
      find: "headers: { 'www-authenticate': challenge },",
      replace: "headers: isMutant ? {} : { 'www-authenticate': challenge },",
    },
  ],
}
