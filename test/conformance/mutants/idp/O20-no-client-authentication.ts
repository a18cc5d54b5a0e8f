import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O20',
  deviation: 'redeems codes without client authentication',
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/shared/client_auth.js',
      find: 'if (methods?.includes(ctx.oidc.client.clientAuthMethod) !== true) {',
      replace:
        'if (isMutant && !clientSecret) return next();\n  if (methods?.includes(ctx.oidc.client.clientAuthMethod) !== true) {',
    },
  ],
}
