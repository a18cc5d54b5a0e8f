import { createDidJwk, parseDidJwk } from './did-jwk.ts'
import { createDidKey, parseDidKey } from './did-key.ts'
import type { PublicJwk } from './jwk.ts'

export type HolderDidMethod = 'key' | 'jwk'

/** A holder's DID and the DID URL of its one key, which is the `kid` of what the holder signs. */
export interface HolderDid {
  readonly did: string
  readonly kid: string
}

/** Makes a holder's DID of the given method (Document 1, Supported curves). */
export function createHolderDid({
  method,
  publicKey,
}: {
  method: HolderDidMethod
  publicKey: PublicJwk
}): HolderDid {
  if (method === 'jwk') {
    const did = createDidJwk(publicKey)
    return { did, kid: `${did}#0` }
  }
  const did = createDidKey(publicKey)
  return { did, kid: `${did}#${did.slice('did:key:'.length)}` }
}

/**
 * Resolves the DID URL of a holder's key without any network: both methods carry the key in the
 * identifier. Undefined where the DID is of another method, is malformed, or the fragment does not
 * name its key. A DID without a fragment names no key, so it does not resolve either.
 */
export function resolveHolderKey(
  didUrl: string,
): { readonly did: string; readonly publicKey: PublicJwk } | undefined {
  const hash = didUrl.indexOf('#')
  if (hash < 0) return undefined
  const did = didUrl.slice(0, hash)
  const fragment = didUrl.slice(hash + 1)
  const isDidKey = did.startsWith('did:key:')
  const publicKey = isDidKey ? parseDidKey(did) : parseDidJwk(did)
  const expectedFragment = isDidKey ? did.slice('did:key:'.length) : '0'
  return publicKey && fragment === expectedFragment ? { did, publicKey } : undefined
}
