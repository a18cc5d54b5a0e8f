import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W50',
  deviation: 'does not send state back',
  patches: [
    {
      file: 'wallet-emulator/actions/submit-presentation.ts',
      find: '...(request.state === undefined ?',
      replace: '...(isMutant || request.state === undefined ?',
    },
  ],
}
