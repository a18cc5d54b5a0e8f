import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D09',
  deviation: 'names the type of raw keys after their curve',
  patches: [
    {
      file: 'services/did-registry/domain/create-did-document.ts',
      find: "type: 'JsonWebKey2020',",
      replace:
        "type: isMutant && publicKeyJwk.crv === 'secp256k1' ? 'EcdsaSecp256k1VerificationKey2019' : 'JsonWebKey2020',",
    },
  ],
}
