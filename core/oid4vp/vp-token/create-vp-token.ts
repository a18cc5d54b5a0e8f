import { algorithmOf } from '#core/crypto/algorithm-of.ts'
import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/sign-jws.ts'

/** First element of a presentation's `@context` (Document 1, Presentation token). */
export const presentationContext = 'https://www.w3.org/2018/credentials/v1'

export interface CreateVpTokenOptions {
  readonly holderDid: string
  /** DID URL of the holder's key. */
  readonly kid: string
  readonly privateKey: PrivateJwk
  /** The verifier's client_id. */
  readonly audience: string
  /** The request's nonce. */
  readonly nonce: string
  /** Credentials as JWTs. */
  readonly credentials: readonly string[]
  /** Unix seconds. */
  readonly now: number
  /** Seconds until it expires. Default: 300. */
  readonly lifetime?: number
}

/**
 * A presentation, signed by the holder (Document 1, Presentation token).
 *
 * @row 1.resources-and-their-fields/presentation-token.1..2
 */
export function createVpToken(options: CreateVpTokenOptions): string {
  const { holderDid, kid, privateKey, audience, nonce, credentials, now, lifetime = 300 } = options
  const alg = algorithmOf(privateKey)
  if (!alg) throw new TypeError('the key fits no algorithm')
  return signJws({
    header: { alg, typ: 'JWT', kid },
    payload: {
      iss: holderDid,
      aud: audience,
      nonce,
      iat: now,
      exp: now + lifetime,
      vp: {
        '@context': [presentationContext],
        type: ['VerifiablePresentation'],
        verifiableCredential: [...credentials],
      },
    },
    privateKey,
  })
}
