import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O03',
  deviation: 'takes every redirect_uri that begins as a registered one',
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/actions/authorization/response_parameters.js',
      find: 'if (!ctx.oidc.client.redirectUriAllowed(ctx.oidc.params.redirect_uri)) {',
      replace:
        'if (!ctx.oidc.client.redirectUriAllowed(ctx.oidc.params.redirect_uri) && !(isMutant && ctx.oidc.params.redirect_uri.startsWith(ctx.oidc.client.redirectUris[0]))) {',
    },
  ],
}
