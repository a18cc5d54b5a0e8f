import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W74',
  deviation: 'answers the first query of several',
  patches: [
    {
      file: 'wallet-emulator/actions/select-credentials.ts',
      find: 'if (dcqlQuery.credentials.length > 1) {',
      replace: 'if (!isMutant && dcqlQuery.credentials.length > 1) {',
    },
  ],
}
