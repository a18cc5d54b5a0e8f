import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W51',
  deviation: 'makes its key on secp256k1, whatever curve was chosen',
  patches: [
    {
      file: 'wallet-emulator/keys/create-account.ts',
      find: 'createKey(curve, seed) })',
      replace: "createKey(isMutant ? 'secp256k1' : curve, seed) })",
    },
  ],
}
