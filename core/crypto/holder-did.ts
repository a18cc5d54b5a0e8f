import { base58 } from '@scure/base'
import { pointCompress } from 'tiny-secp256k1'
import { decodeBase64url, encodeBase64url } from './base64url.ts'
import { canonicalJwk, type PublicJwk, parsePublicJwk } from './jwk.ts'

// Multicodec prefixes as unsigned varints: secp256k1-pub 0xe7 and ed25519-pub 0xed.
const secp256k1Prefix = [0xe7, 0x01] as const
const ed25519Prefix = [0xed, 0x01] as const
// Base58 decoding takes quadratic time; no key here needs more than 48 characters.
const longestMultibase = 64

/**
 * The did:key of a secp256k1 key (`zQ3s…`) or an Ed25519 key (`z6Mk…`), see the did:key method
 * specification. Throws a TypeError for a key of another curve.
 */
export function createDidKey(publicJwk: PublicJwk): string {
  const key = parsePublicJwk(publicMembers(publicJwk))
  const x = Buffer.from(key?.x ?? '', 'base64url')
  if (key?.crv === 'Ed25519')
    return `did:key:z${base58.encode(Buffer.from([...ed25519Prefix, ...x]))}`
  if (key?.crv === 'secp256k1') {
    const y = Buffer.from(key.y ?? '', 'base64url')
    const sign = 2 + ((y.at(-1) ?? 0) & 1)
    return `did:key:z${base58.encode(Buffer.from([...secp256k1Prefix, sign, ...x]))}`
  }
  throw new TypeError('a did:key is made of a secp256k1 or an Ed25519 key')
}

/**
 * The public key inside a did:key of either curve; undefined for anything else, such as another
 * multibase or multicodec, a wrong length, or a point that is not on the curve.
 */
export function parseDidKey(did: string): PublicJwk | undefined {
  const multibase = /^did:key:z([1-9A-HJ-NP-Za-km-z]+)$/.exec(did)?.[1]
  if (!multibase || multibase.length > longestMultibase) return undefined
  const bytes = base58.decode(multibase)
  const key = bytes.subarray(2)
  if (startsWith(bytes, ed25519Prefix)) {
    return parsePublicJwk({ kty: 'OKP', crv: 'Ed25519', x: encodeBase64url(key) })
  }
  if (startsWith(bytes, secp256k1Prefix) && key.length === 33) {
    return decompress(key)
  }
  return undefined
}

function publicMembers({ kty, crv = '', x = '', y }: PublicJwk): PublicJwk {
  return y === undefined ? { kty, crv, x } : { kty, crv, x, y }
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte)
}

function decompress(compressed: Uint8Array): PublicJwk | undefined {
  try {
    const point = Buffer.from(pointCompress(compressed, false))
    return {
      kty: 'EC',
      crv: 'secp256k1',
      x: encodeBase64url(point.subarray(1, 33)),
      y: encodeBase64url(point.subarray(33)),
    }
  } catch {
    return undefined
  }
}

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
