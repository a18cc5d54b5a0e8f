import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D11',
  deviation: 'keeps of a JWK only kty, crv, x and y',
  patches: [
    {
      file: 'services/did-registry/domain/create-did-document.ts',
      find: 'const result = parseJwkObject(publicKey)',
      replace:
        'const result = parseJwkObject(publicKey); if (isMutant && result.ok) { const { kty, crv, x, y } = result.jwk; return { kty, crv, x, y } }',
    },
  ],
}
