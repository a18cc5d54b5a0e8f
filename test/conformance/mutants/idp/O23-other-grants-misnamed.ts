import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O23',
  deviation: 'answers grants it does not support with invalid_request',
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/actions/token.js',
      find: 'throw new UnsupportedGrantType();',
      replace: 'throw isMutant ? new InvalidRequest() : new UnsupportedGrantType();',
    },
  ],
}
