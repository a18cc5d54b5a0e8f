import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O14',
  deviation: 'gives state back in lower case',
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/actions/authorization/respond.js',
      find: 'out.state = params.state;',
      replace: "out.state = isMutant ? params.state.replace(/[^a-z]/g, '') : params.state;",
    },
  ],
}
