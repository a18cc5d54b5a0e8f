import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O05',
  deviation: 'shows a login whatever the response_type is',
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/actions/authorization/response_parameters.js',
      find: "params.response_type = [...new Set(params.response_type.split(' '))].sort().join(' ');",
      replace:
        "if (isMutant) params.response_type = 'code'; params.response_type = [...new Set(params.response_type.split(' '))].sort().join(' ');",
    },
  ],
}
