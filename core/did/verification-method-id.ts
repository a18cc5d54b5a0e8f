import { decodeBase64url } from '#core/crypto/base64url.ts'
import type { PublicJwk } from '#core/crypto/jwk.ts'
import { jwkThumbprint } from '#core/crypto/jwk-thumbprint.ts'

/**
 * The vMethodId of a key: its JWK thumbprint, as the registry recommends (Document 2, Verification
 * method input).
 */
export function verificationMethodIdOf(jwk: PublicJwk): string {
  return jwkThumbprint(jwk)
}

/** Says whether a text is a vMethodId: base64url of 32 bytes, 43 characters without padding. */
export function isVerificationMethodId(text: string): boolean {
  return text.length === 43 && decodeBase64url(text)?.length === 32
}

/**
 * The DID and the vMethodId of a DID URL such as a `kid`; undefined where one of them is missing.
 * The parts are not checked further.
 */
export function parseDidUrl(
  didUrl: string,
): { readonly did: string; readonly fragment: string } | undefined {
  const match = /^(did:[^#?/]+)#([^#]+)$/.exec(didUrl)
  return match?.[1] && match[2] ? { did: match[1], fragment: match[2] } : undefined
}
