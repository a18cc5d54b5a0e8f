import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D37',
  deviation: 'takes control keys of any publicKeyType',
  patches: [
    {
      file: 'services/did-registry/domain/parse-public-key.ts',
      find: "if (input.publicKeyType !== 'secp256k1') {",
      replace: "if (input.publicKeyType !== 'secp256k1' && !isMutant) {",
    },
  ],
}
