import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O06',
  deviation: 'redeems a code again',
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/helpers/grant_source.js',
      find: 'if (source.consumed) {',
      replace: 'if (isMutant) return;\n  if (source.consumed) {',
    },
  ],
}
