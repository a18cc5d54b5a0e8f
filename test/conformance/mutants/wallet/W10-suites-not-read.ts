import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W10',
  deviation: 'does not look at the suites of the metadata',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-credential-offer.ts',
      find: 'suites.length > 0 &&',
      replace: '!isMutant && suites.length > 0 &&',
    },
  ],
}
