import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W15',
  deviation: 'takes 202 for an error',
  patches: [
    {
      file: 'wallet-emulator/actions/poll-deferred-credential.ts',
      find: 'if (status !== 200 && status !== 202) {',
      replace: 'if (status !== 200 && (isMutant || status !== 202)) {',
    },
  ],
}
