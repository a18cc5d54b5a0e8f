import { createHmac } from 'node:crypto'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'

/**
 * A secp256k1 private key (0x-hex, 32 bytes) from the seed: HMAC-SHA-256 over a label such as
 * `pre/operator`. The same seed and label always give the same key, and one key tells nothing
 * about another.
 */
export function deriveKey(seed: string, label: string): `0x${string}` {
  for (let counter = 0; ; counter++) {
    const message = `lear-testbed/${label}/${counter}`
    const key: `0x${string}` = `0x${createHmac('sha256', seed).update(message).digest('hex')}`
    try {
      privateJwkFromHex(key)
      return key
    } catch {
      // Not between 1 and the order of the curve: about once in 2^128.
    }
  }
}
