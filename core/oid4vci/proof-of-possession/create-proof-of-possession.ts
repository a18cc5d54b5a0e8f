import { algorithmOf } from '#core/crypto/algorithm-of.ts'
import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/sign-jws.ts'

/** The `typ` of a proof of possession (Document 1, Proof of possession JWT). */
export const proofOfPossessionType = 'openid4vci-proof+jwt'

export interface CreateProofOfPossessionOptions {
  readonly privateKey: PrivateJwk
  readonly holderDid: string
  /** DID URL of the holder's key. */
  readonly kid: string
  /** The issuer's identifier, `credential_issuer`. */
  readonly credentialIssuer: string
  /** The c_nonce of the token response; left out where there was none. */
  readonly cNonce?: string
  /** Unix seconds. */
  readonly now: number
}

/**
 * Makes the JWT by which a wallet shows that it holds the key of its DID (Document 1, Proof of
 * possession JWT). Throws a TypeError for a key of an unsupported curve.
 */
export function createProofOfPossession({
  privateKey,
  holderDid,
  kid,
  credentialIssuer,
  cNonce,
  now,
}: CreateProofOfPossessionOptions): string {
  const alg = algorithmOf(privateKey)
  if (!alg) throw new TypeError('the key is of no supported curve')
  return signJws({
    header: { alg, typ: proofOfPossessionType, kid },
    payload: {
      iss: holderDid,
      aud: credentialIssuer,
      iat: now,
      ...(cNonce === undefined ? {} : { nonce: cNonce }),
    },
    privateKey,
  })
}
