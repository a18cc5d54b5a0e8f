import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W09',
  deviation: 'asks for the first credential of the metadata where the offered one is not there',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-credential-offer.ts',
      find: '(supported) => supported.id === id)',
      replace: `(supported) => supported.id === id) ??
      (isMutant ? metadata.credentialsSupported[0] : undefined)`,
    },
  ],
}
