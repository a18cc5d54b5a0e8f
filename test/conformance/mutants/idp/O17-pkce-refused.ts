import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O17',
  deviation: 'refuses every code_verifier',
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/helpers/pkce.js',
      find: 'if (verifier) {',
      replace:
        "if (isMutant && verifier) throw new InvalidGrant('unsupported');\n  if (verifier) {",
    },
  ],
}
