import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W91',
  deviation: 'takes the first of several offered credentials',
  patches: [
    {
      file: 'wallet-emulator/actions/accept-offer.ts',
      find: 'of entries) {',
      replace: 'of isMutant ? entries.slice(0, 1) : entries) {',
    },
  ],
}
