import { createPrivateKey, sign } from 'node:crypto'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import type { PrivateJwk } from '#core/crypto/jwk.ts'

/**
 * An ES256K signature whose r begins with a zero byte, as one of 256 has it. If a system writes r as
 * a number without padding, it rejects one of 256 valid messages.
 */
export function signWithShortR(input: string, privateKey: PrivateJwk): Uint8Array {
  const key = createPrivateKey({ key: { ...privateKey }, format: 'jwk' })
  for (;;) {
    // OpenSSL draws a random number for each signature.
    const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
    if (signature[0] === 0) return signature
  }
}

/** A JWT with such a signature. */
export function signJwtWithShortR(header: object, payload: object, privateKey: PrivateJwk): string {
  const input = [header, payload].map((part) => encodeBase64url(JSON.stringify(part))).join('.')
  return `${input}.${encodeBase64url(signWithShortR(input, privateKey))}`
}
