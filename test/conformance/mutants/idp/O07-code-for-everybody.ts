import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O07',
  deviation: "redeems another client's code",
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/helpers/grant_source.js',
      find: 'if (source.clientId !== ctx.oidc.client.clientId) {',
      replace: 'if (!isMutant && source.clientId !== ctx.oidc.client.clientId) {',
    },
    {
      file: 'node_modules/oidc-provider/lib/helpers/grant_source.js',
      find: 'if (grant.clientId !== ctx.oidc.client.clientId) {',
      replace: 'if (!isMutant && grant.clientId !== ctx.oidc.client.clientId) {',
    },
  ],
}
