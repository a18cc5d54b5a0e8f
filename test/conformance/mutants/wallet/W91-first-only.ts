import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W91',
  deviation: 'takes the first of several offered credentials',
  patches: [
    {
      file: 'wallet-emulator/actions/accept-offer.ts',
      find: 'of resolved.offered) {',
      replace: 'of isMutant ? resolved.offered.slice(0, 1) : resolved.offered) {',
    },
  ],
}
