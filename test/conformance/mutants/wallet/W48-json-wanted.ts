import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W48',
  deviation: 'takes an empty answer for an error',
  patches: [
    {
      file: 'wallet-emulator/actions/submit-presentation.ts',
      find: 'if (response.status !== 200) {',
      replace: 'if (response.status !== 200 || (isMutant && response.json === undefined)) {',
    },
  ],
}
