import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W64',
  deviation: 'keeps credentials of any format',
  patches: [
    {
      file: 'wallet-emulator/actions/accept-offer.ts',
      find: 'if (format !== entry.format) {',
      replace: 'if (!isMutant && format !== entry.format) {',
    },
  ],
}
