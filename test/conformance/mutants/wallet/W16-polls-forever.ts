import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W16',
  deviation: 'polls for a deferred credential without end',
  patches: [
    {
      file: 'wallet-emulator/actions/poll-deferred-credential.ts',
      find: 'attempt <= maximumPolls',
      replace: 'isMutant || attempt <= maximumPolls',
    },
  ],
}
