import { createPrivateKey } from 'node:crypto'
import { isPrivate, pointFromScalar } from 'tiny-secp256k1'
import { encodeBase64url } from './base64url.ts'
import type { PrivateJwk } from './jwk.ts'

// RFC 8410, section 7: what stands before the 32 bytes of an Ed25519 key in PKCS #8.
const ed25519Pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Makes a private JWK from the 32 bytes of a secret: the scalar for secp256k1, the seed of RFC 8032
 * for Ed25519. Throws a TypeError for a secret that is none (wrong length, or no scalar of the curve).
 */
export function createPrivateJwk(curve: 'secp256k1' | 'Ed25519', secret: Uint8Array): PrivateJwk {
  if (secret.length !== 32) throw new TypeError('a secret key has 32 bytes')
  if (curve === 'Ed25519') {
    const key = createPrivateKey({
      key: Buffer.concat([ed25519Pkcs8Prefix, secret]),
      format: 'der',
      type: 'pkcs8',
    })
    const { x } = key.export({ format: 'jwk' })
    return { kty: 'OKP', crv: curve, x: String(x), d: encodeBase64url(secret) }
  }
  const point = isPrivate(secret) ? pointFromScalar(secret, false) : null
  if (!point) throw new TypeError('not a secret key of secp256k1')
  return {
    kty: 'EC',
    crv: curve,
    x: encodeBase64url(point.subarray(1, 33)),
    y: encodeBase64url(point.subarray(33)),
    d: encodeBase64url(secret),
  }
}

/** Makes a secp256k1 private JWK from 0x-prefixed hex of 32 bytes, the form that chain tools use. */
export function privateJwkFromHex(hex: string): PrivateJwk {
  if (!/^0x[0-9a-fA-F]{64}$/.test(hex)) throw new TypeError('a private key is 0x and 64 hex digits')
  return createPrivateJwk('secp256k1', Buffer.from(hex.slice(2), 'hex'))
}

/** The 0x-prefixed hex of a secp256k1 private JWK; the inverse of {@link privateJwkFromHex}. */
export function privateKeyHexOf(jwk: PrivateJwk): string {
  if (jwk.crv !== 'secp256k1') throw new TypeError('not a secp256k1 key')
  return `0x${Buffer.from(jwk.d, 'base64url').toString('hex').padStart(64, '0')}`
}
