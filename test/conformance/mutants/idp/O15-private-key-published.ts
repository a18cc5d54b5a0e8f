import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O15',
  deviation: 'publishes a private member of its keys',
  patches: [
    {
      file: 'services/idp/routes/get-jwks.ts',
      find: '{ ...publicJwkOf(jwk), kid,',
      replace: '{ ...publicJwkOf(jwk), ...(isMutant ? { qi: jwk.qi } : {}), kid,',
    },
  ],
}
