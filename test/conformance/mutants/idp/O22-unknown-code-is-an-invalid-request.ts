import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O22',
  deviation: 'answers a made-up code with another error',
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/helpers/grant_source.js',
      find: 'throw new InvalidGrant(`${label} not found`);',
      replace:
        "throw Object.assign(new InvalidGrant(`${label} not found`), isMutant ? { error: 'access_denied', message: 'access_denied' } : {});",
    },
  ],
}
