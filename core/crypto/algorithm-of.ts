import type { PublicJwk, SigningAlgorithm } from './jwk.ts'

/**
 * The one JWS algorithm that a key is for, from its `kty` and `crv` alone; undefined for keys that
 * no algorithm here fits. Verification holds the header's `alg` against it, which is what rules out
 * every confusion of algorithms.
 */
export function algorithmOf(jwk: PublicJwk): SigningAlgorithm | undefined {
  if (jwk.kty === 'EC' && jwk.crv === 'secp256k1') return 'ES256K'
  if (jwk.kty === 'EC' && jwk.crv === 'P-256') return 'ES256'
  if (jwk.kty === 'OKP' && jwk.crv === 'Ed25519') return 'EdDSA'
  if (jwk.kty === 'RSA') return 'RS256'
  return undefined
}
