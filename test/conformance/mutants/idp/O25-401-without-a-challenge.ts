import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O25',
  deviation: 'answers a garbage token without WWW-Authenticate',
  patches: [
    {
      file: 'services/idp/adapters/verify-access-token.ts',
      find: "headers: { 'www-authenticate': 'Bearer error=\"invalid_token\"' }",
      replace: "headers: isMutant ? {} : { 'www-authenticate': 'Bearer error=\"invalid_token\"' }",
    },
  ],
}
