// By the module, not by name: a Node without `hash` has to get as far as saying that it is too old.
import crypto, { sign } from 'node:crypto'
import { sign as signSecp256k1 } from 'tiny-secp256k1'
import { algorithmOf } from './algorithm-of.ts'
import type { PrivateJwk, SigningAlgorithm } from './jwk.ts'
import { privateKeyObjectOf } from './key-object-of.ts'

/**
 * Signs bytes with a private JWK and gives the signature in its JWS form: r and s of 32 bytes each
 * for ES256K and ES256, 64 bytes for EdDSA. ES256K is deterministic (RFC 6979) and low-S, so that a
 * seeded testbed signs the same bytes every time. Throws a TypeError where algorithm and key do not
 * belong together.
 */
export function createSignature(
  algorithm: SigningAlgorithm,
  privateKey: PrivateJwk,
  data: Uint8Array,
): Uint8Array {
  if (algorithmOf(privateKey) !== algorithm) {
    throw new TypeError(`the key is not for the algorithm ${algorithm}`)
  }
  if (algorithm === 'ES256K') {
    const digest = crypto.hash('sha256', data, 'buffer')
    return signSecp256k1(digest, Buffer.from(privateKey.d, 'base64url'))
  }
  const key = privateKeyObjectOf(privateKey)
  if (algorithm === 'EdDSA') return sign(null, data, key)
  return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' })
}
