import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O18',
  deviation: 'takes a challenge and never checks it',
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/helpers/pkce.js',
      find: 'if (verifier || challenge) {',
      replace: 'if (!isMutant && (verifier || challenge)) {',
    },
  ],
}
