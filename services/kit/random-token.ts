import { randomBytes } from 'node:crypto'

/**
 * A fresh secret or identifier that nobody can guess: base64url of `bytes` random bytes.
 * @assumption A-36 at least 128 random bits for codes, tokens and nonces
 */
export function randomToken(bytes = 32): string {
  if (bytes < 16) throw new TypeError('A token needs at least 16 bytes of randomness.')
  return randomBytes(bytes).toString('base64url')
}
