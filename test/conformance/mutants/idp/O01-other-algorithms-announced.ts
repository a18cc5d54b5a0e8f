import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O01',
  deviation: 'announces an algorithm for id_tokens besides RS256',
  patches: [
    {
      file: 'services/kit/openid-provider/discovery-routes.ts',
      find: "id_token_signing_alg_values_supported: ['RS256']",
      replace: "id_token_signing_alg_values_supported: isMutant ? ['RS256', 'ES256K'] : ['RS256']",
    },
  ],
}
