import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D10',
  deviation: 'calls each key that came as a JWK one of P-256',
  patches: [
    {
      file: 'services/did-registry/domain/create-did-document.ts',
      find: 'return result.ok ? result.jwk : undefined',
      replace:
        "if (isMutant && result.ok && result.jwk.crv === 'secp256k1') return { ...result.jwk, crv: 'P-256' }; return result.ok ? result.jwk : undefined",
    },
  ],
}
