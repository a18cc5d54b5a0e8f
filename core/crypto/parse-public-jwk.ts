import { algorithmOf } from './algorithm-of.ts'
import { decodeBase64url } from './base64url.ts'
import type { PublicJwk } from './jwk.ts'
import { publicKeyObjectOf } from './key-object-of.ts'
import { publicJwkOf } from './public-jwk-of.ts'

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/**
 * Reads untrusted input as a public JWK of secp256k1, P-256 or Ed25519: coordinates of exactly 32
 * bytes in strict base64url and a point on the curve. Anything else gives undefined, a key that
 * carries a private member too (RFC 7517, section 9.2; whoever published that has lost it).
 */
export function parsePublicJwk(value: unknown): PublicJwk | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if (privateMembers.some((name) => Object.hasOwn(value, name))) return undefined
  const jwk = value as PublicJwk
  const algorithm = algorithmOf(jwk)
  if (!algorithm || algorithm === 'RS256') return undefined
  const coordinates = jwk.kty === 'EC' ? [jwk.x, jwk.y] : [jwk.x]
  const complete = coordinates.every(
    (text) => typeof text === 'string' && decodeBase64url(text)?.length === 32,
  )
  if (!complete) return undefined
  try {
    publicKeyObjectOf(jwk)
  } catch {
    return undefined
  }
  return publicJwkOf(jwk)
}
