import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O09',
  deviation: 'leaves the nonce out of the id_token',
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/helpers/grant_common.js',
      find: "token.set('nonce', source.nonce);",
      replace: "if (!isMutant) token.set('nonce', source.nonce);",
    },
  ],
}
