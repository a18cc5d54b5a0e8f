// By the module, not by name: a Node without `hash` has to get as far as saying that it is too old.
import crypto, { verify } from 'node:crypto'
import { verify as verifySecp256k1 } from 'tiny-secp256k1'
import { algorithmOf } from './algorithm-of.ts'
import type { PublicJwk, SigningAlgorithm } from './jwk.ts'
import { publicKeyObjectOf } from './key-object-of.ts'

const minimumRsaBits = 2048

/**
 * Verifies a signature in its JWS form. The algorithm must be the one that the key is for, and an
 * elliptic curve signature has exactly 64 bytes. A high-S ES256K signature is good: JOSE asks for no
 * low-S, and half of what OpenSSL makes is high. Never throws; what is no key verifies nothing.
 */
export function verifySignature(
  algorithm: SigningAlgorithm,
  publicKey: PublicJwk,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (algorithmOf(publicKey) !== algorithm) return false
  if (algorithm !== 'RS256' && signature.length !== 64) return false
  try {
    if (algorithm === 'ES256K') {
      return verifySecp256k1(crypto.hash('sha256', data, 'buffer'), pointOf(publicKey), signature)
    }
    const key = publicKeyObjectOf(publicKey)
    if (algorithm === 'EdDSA') return verify(null, data, key, signature)
    if (algorithm === 'RS256') {
      const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
      return bits >= minimumRsaBits && verify('sha256', data, key, signature)
    }
    return verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

/** 0x04, X and Y; not of 65 bytes where the JWK is no key, which is no point then. */
function pointOf({ x = '', y = '' }: PublicJwk): Uint8Array {
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}
