import { decodeBase64url } from '#core/crypto/base64url.ts'
import { jwkThumbprint, type PublicJwk } from '#core/crypto/jwk.ts'
import { parseJws } from '#core/crypto/jws.ts'

/** The two environments that an identifier can belong to. */
export type DidEnvironment = 'pre' | 'pro'

/** The DID prefixes by environment (profile/tir, Types). */
export const didPrefixes: Readonly<Record<DidEnvironment, string>> = {
  pre: 'did:org:uc-pre:',
  pro: 'did:org:uc:',
}

export interface DidOrg {
  readonly did: string
  readonly environment: DidEnvironment
}

const pattern = /^did:org:(uc|uc-pre):z[1-9A-HJ-NP-Za-km-z]{1,63}$/

/**
 * Reads a DID of the registry, without path, query or fragment; undefined for anything else. The
 * identifier only has to be base58btc. The registry checks that a DID derives from its first proof
 * (see {@link didOfProof}); third-party registries may derive DIDs differently.
 *
 * @row 2.resources-and-their-fields/types-used-in-the-tir.3
 */
export function parseDidOrg(did: string): DidOrg | undefined {
  const match = pattern.exec(did)
  return match ? { did, environment: match[1] === 'uc' ? 'pro' : 'pre' } : undefined
}

/**
 * Returns the vMethodId of a key: its JWK thumbprint, as the registry recommends
 * (profile/did-registry, Keys).
 */
export function verificationMethodIdOf(jwk: PublicJwk): string {
  return jwkThumbprint(jwk)
}

/** True if a string is a vMethodId: base64url of 32 bytes, 43 characters without padding. */
export function isVerificationMethodId(text: string): boolean {
  return text.length === 43 && decodeBase64url(text)?.length === 32
}

/**
 * Splits a DID URL such as a `kid` into the DID and the vMethodId; undefined if one of them is
 * missing. The parts are not validated further.
 */
export function parseDidUrl(
  didUrl: string,
): { readonly did: string; readonly fragment: string } | undefined {
  const [, did, fragment] = /^(did:[^#?/]+)#([^#]+)$/.exec(didUrl) ?? []
  return did && fragment ? { did, fragment } : undefined
}

/**
 * Returns the environment of the DID in a JWT's `kid`, as a default; `pre` if it does not contain a
 * DID of a registry. The value proves nothing before the signature is verified.
 */
export function environmentOfSigner(jwt: string): DidEnvironment {
  const jws = parseJws(jwt)
  const kid = jws.ok ? jws.header.kid : undefined
  const did = typeof kid === 'string' ? parseDidUrl(kid)?.did : undefined
  return parseDidOrg(did ?? '')?.environment ?? 'pre'
}
