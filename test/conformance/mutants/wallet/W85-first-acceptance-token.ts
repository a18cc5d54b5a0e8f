import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W85',
  deviation: 'polls with the first acceptance_token for ever',
  patches: [
    {
      file: 'wallet-emulator/actions/poll-deferred-credential.ts',
      find: 'token = result.acceptanceToken ?? token',
      replace: 'token = (isMutant ? undefined : result.acceptanceToken) ?? token',
    },
  ],
}
