import { createHmac, randomBytes } from 'node:crypto'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import { createPrivateJwk, type PrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { type JwsHeader, signJws } from '#core/crypto/jws.ts'

/** Makes the JWT of a header and a payload; the key is the issuer's. */
export type SignDraft = (header: JwsHeader, payload: object, privateKey: PrivateJwk) => string

const signingInput = (header: object, payload: object) =>
  [header, payload].map((part) => encodeBase64url(JSON.stringify(part))).join('.')

/** With the issuer's key, as it has to be. */
export const signWithIssuerKey: SignDraft = (header, payload, privateKey) =>
  signJws({ header, payload, privateKey })

/** With a key that nobody knows, under the issuer's kid. */
export const signWithStrangeKey: SignDraft = (header, payload) =>
  signJws({ header, payload, privateKey: createPrivateJwk('secp256k1', randomBytes(32)) })

/** Not at all: `alg` none and an empty signature. */
export const leaveUnsigned: SignDraft = (header, payload) =>
  `${signingInput({ ...header, alg: 'none' }, payload)}.`

/** By HMAC with the public key for a secret, which confuses verifiers that trust the header. */
export const signWithPublicKeyAsSecret: SignDraft = (header, payload, privateKey) => {
  const input = signingInput({ ...header, alg: 'HS256' }, payload)
  const secret = JSON.stringify(publicJwkOf(privateKey))
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}
