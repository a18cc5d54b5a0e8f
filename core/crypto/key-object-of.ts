import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { PrivateJwk, PublicJwk } from './jwk.ts'

const mostPublicKeys = 1000
const publicKeys = new Map<string, KeyObject>()
const privateKeys = new WeakMap<PrivateJwk, KeyObject>()

/**
 * The public key as node:crypto's KeyObject. Importing one costs as much as some signatures, and the
 * same key comes in many documents, so that the newest thousand are kept by what makes the key.
 * Throws where it is no key.
 */
export function publicKeyObjectOf(jwk: PublicJwk): KeyObject {
  const { kty, crv, x, y, n, e } = jwk
  // As JSON: no two keys give the same text, whatever stands in the members.
  const name = JSON.stringify([kty, crv, x, y, n, e])
  const known = publicKeys.get(name)
  if (known) return known
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  const [oldest] = publicKeys.keys()
  if (publicKeys.size >= mostPublicKeys && oldest !== undefined) publicKeys.delete(oldest)
  publicKeys.set(name, key)
  return key
}

/**
 * The private counterpart of {@link publicKeyObjectOf}, kept as long as the JWK object lives. A JWK
 * is not to be changed after its first use.
 */
export function privateKeyObjectOf(jwk: PrivateJwk): KeyObject {
  const known = privateKeys.get(jwk)
  if (known) return known
  const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' })
  privateKeys.set(jwk, key)
  return key
}
