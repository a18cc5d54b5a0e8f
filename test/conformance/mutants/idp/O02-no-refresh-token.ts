import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O02',
  deviation: 'issues no refresh_token',
  patches: [
    {
      file: 'services/idp/create-provider.ts',
      find: 'issueRefreshToken: () => true',
      replace: 'issueRefreshToken: () => !isMutant',
    },
  ],
}
