import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W11',
  deviation: 'takes endpoints at http from an issuer at https',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-credential-offer.ts',
      find: 'insecure === undefined) return',
      replace: 'insecure === undefined || isMutant) return',
    },
  ],
}
