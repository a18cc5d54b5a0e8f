import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { PrivateJwk, PublicJwk } from './jwk.ts'

const publicKeys = new WeakMap<PublicJwk, KeyObject>()
const privateKeys = new WeakMap<PrivateJwk, KeyObject>()

/**
 * The public key as node:crypto's KeyObject, kept as long as the JWK object lives: importing a key
 * costs as much as some signatures. A JWK is not to be changed after its first use. Throws where it
 * is no key.
 */
export function publicKeyObjectOf(jwk: PublicJwk): KeyObject {
  const known = publicKeys.get(jwk)
  if (known) return known
  const { kty, crv, x, y, n, e } = jwk
  const key = createPublicKey({ key: { kty, crv, x, y, n, e }, format: 'jwk' })
  publicKeys.set(jwk, key)
  return key
}

/** The private counterpart of {@link publicKeyObjectOf}. */
export function privateKeyObjectOf(jwk: PrivateJwk): KeyObject {
  const known = privateKeys.get(jwk)
  if (known) return known
  const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' })
  privateKeys.set(jwk, key)
  return key
}
