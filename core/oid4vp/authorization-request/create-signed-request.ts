import { algorithmOf } from '#core/crypto/algorithm-of.ts'
import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/sign-jws.ts'
import {
  type AuthorizationRequestWire,
  signedRequestType,
  walletAudience,
} from './z-authorization-request.ts'

export interface CreateSignedRequestOptions {
  readonly request: AuthorizationRequestWire
  /** DID URL of the verifier's registered key. */
  readonly kid: string
  readonly privateKey: PrivateJwk
  /** Unix seconds. */
  readonly now: number
  /** Unix seconds. */
  readonly expiresAt: number
}

/**
 * A presentation request as a signed JWT (RFC 9101), by the verifier's registered DID.
 *
 * @assumption A-45
 * @row 1.resources-and-their-fields/presentation-authorization-request.9
 */
export function createSignedRequest(options: CreateSignedRequestOptions): string {
  const { request, kid, privateKey, now, expiresAt } = options
  const alg = algorithmOf(privateKey)
  if (!alg) throw new TypeError('the key fits no algorithm')
  return signJws({
    header: { alg, typ: signedRequestType, kid },
    payload: { iss: request.client_id, aud: walletAudience, iat: now, exp: expiresAt, ...request },
    privateKey,
  })
}
