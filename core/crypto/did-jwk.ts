import { decodeBase64url, encodeBase64url } from './base64url.ts'
import type { PublicJwk } from './jwk.ts'
import { canonicalJwk } from './jwk-thumbprint.ts'
import { parsePublicJwk } from './parse-public-jwk.ts'

const longestDid = 2048

/**
 * The did:jwk of a public key, see the did:jwk method specification. Holds the members that make
 * the key and nothing else, in lexicographic order as in the specification's examples.
 */
export function createDidJwk(publicJwk: PublicJwk): string {
  return `did:jwk:${encodeBase64url(canonicalJwk(publicJwk))}`
}

/**
 * The public key inside a did:jwk; undefined where it is no key of secp256k1, P-256 or Ed25519,
 * or holds a private member.
 */
export function parseDidJwk(did: string): PublicJwk | undefined {
  const encoded = /^did:jwk:([A-Za-z0-9_-]+)$/.exec(did)?.[1]
  const bytes = encoded && did.length <= longestDid ? decodeBase64url(encoded) : undefined
  if (!bytes) return undefined
  try {
    return parsePublicJwk(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    return undefined
  }
}
