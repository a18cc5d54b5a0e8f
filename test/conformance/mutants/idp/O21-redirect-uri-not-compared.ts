import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O21',
  deviation: 'redeems a code whatever redirect_uri comes with it',
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/actions/grants/authorization_code.js',
      find: 'code.redirectUri !== ctx.oidc.params.redirect_uri) {',
      replace: '(!isMutant && code.redirectUri !== ctx.oidc.params.redirect_uri)) {',
    },
  ],
}
