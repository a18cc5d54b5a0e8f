import { ECDH } from 'node:crypto'
import { base58 } from '@scure/base'
import { pointCompress } from 'tiny-secp256k1'
import { parseJsonObject } from '#core/json/read-json.ts'
import { decodeBase64url, encodeBase64url } from './base64url.ts'
import { canonicalJwk, type PublicJwk, parsePublicJwk } from './jwk.ts'
import {
  algorithmOf,
  defaultHolderSuites,
  type HolderCurve,
  holderCurves,
  holderSuiteOf,
  holderSuites,
  type SigningAlgorithm,
  suites,
} from './suites.ts'

// Base58 decoding takes quadratic time; no supported key needs more than 48 characters.
const longestMultibase = 64

/**
 * Creates the did:key of a key whose suite has a multicodec code (`zQ3s…` for secp256k1, `zDna…`
 * for P-256, `z6Mk…` for Ed25519). See the did:key method specification. Throws a TypeError for
 * other keys.
 */
export function createDidKey({ kty, crv = '', x = '', y }: PublicJwk): string {
  const key = parsePublicJwk(y === undefined ? { kty, crv, x } : { kty, crv, x, y })
  const prefix = key && multicodecOf(key)
  if (!prefix) throw new TypeError(`a did:key requires a key on ${holderCurves.join(' or ')}`)
  const coordinate = Buffer.from(x, 'base64url')
  const sign = y === undefined ? [] : [2 + ((Buffer.from(y, 'base64url').at(-1) ?? 0) & 1)]
  return `did:key:z${base58.encode(Buffer.from([...prefix, ...sign, ...coordinate]))}`
}

function multicodecOf({ kty, crv = '' }: PublicJwk): readonly number[] | undefined {
  const suite = holderSuiteOf({ kty, crv })
  return suite && suites[suite].multicodec
}

/**
 * Returns the public key in a did:key of a curve that holders can use; undefined for anything else,
 * such as another multibase or multicodec, a wrong length, or a point that is not on the curve.
 */
export function parseDidKey(did: string): PublicJwk | undefined {
  const multibase = /^did:key:z([1-9A-HJ-NP-Za-km-z]+)$/.exec(did)?.[1]
  if (!multibase || multibase.length > longestMultibase) return undefined
  const bytes = base58.decode(multibase)
  const key = bytes.subarray(2)
  const name = holderSuites.find((suite) =>
    suites[suite].multicodec.every((byte, index) => bytes[index] === byte),
  )
  if (!name) return undefined
  const { kty, crv } = suites[name]
  return crv === 'Ed25519'
    ? parsePublicJwk({ kty, crv, x: encodeBase64url(key) })
    : readCompressedPoint(crv, key)
}

/** Decompresses a point. Throws if it is not a point of the curve. */
const decompress: Readonly<
  Record<Exclude<HolderCurve, 'Ed25519'>, (compressed: Uint8Array) => Uint8Array>
> = {
  secp256k1: (compressed) => pointCompress(compressed, false),
  'P-256': (compressed) =>
    // Without an output encoding, the result is a Buffer.
    ECDH.convertKey(compressed, 'prime256v1', undefined, undefined, 'uncompressed') as Buffer,
}

function readCompressedPoint(
  crv: keyof typeof decompress,
  compressed: Uint8Array,
): PublicJwk | undefined {
  if (compressed.length !== 33) return undefined
  try {
    const point = decompress[crv](compressed)
    const [x, y] = [point.subarray(1, 33), point.subarray(33)]
    return { kty: 'EC', crv, x: encodeBase64url(x), y: encodeBase64url(y) }
  } catch {
    return undefined
  }
}

const longestDid = 2048

/**
 * Creates the did:jwk of a public key (did:jwk method specification). Contains only the required
 * members of the key, in lexicographic order as in the specification's examples.
 */
export function createDidJwk(publicJwk: PublicJwk): string {
  return `did:jwk:${encodeBase64url(canonicalJwk(publicJwk))}`
}

/**
 * Returns the public key in a did:jwk; undefined if it is not a key of secp256k1, P-256 or Ed25519,
 * has a private member, or contains a member twice.
 */
export function parseDidJwk(did: string): PublicJwk | undefined {
  const encoded = /^did:jwk:([A-Za-z0-9_-]+)$/.exec(did)?.[1]
  const bytes = encoded && did.length <= longestDid ? decodeBase64url(encoded) : undefined
  return parsePublicJwk(parseJsonObject(bytes))
}

export type HolderDidMethod = 'key' | 'jwk'

/** A holder's DID and the DID URL of its key, which is the `kid` of the holder's signatures. */
export interface HolderDid {
  readonly did: string
  readonly kid: string
}

/** Creates a holder's DID with the given method (profile/wallet, Keys). */
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
 * Resolves the DID URL of a holder's key without network access: both methods contain the key in
 * the identifier. Undefined if the DID has another method or is malformed, if the fragment is
 * missing or does not name the key, or if the suite of a did:key is not accepted.
 */
export function resolveHolderKey(
  didUrl: string,
  accepted: readonly SigningAlgorithm[] = defaultHolderSuites,
): { readonly did: string; readonly publicKey: PublicJwk } | undefined {
  const [did = ''] = didUrl.split('#')
  const isDidKey = did.startsWith('did:key:')
  const publicKey = isDidKey ? parseDidKey(did) : parseDidJwk(did)
  const fragment = isDidKey ? did.slice('did:key:'.length) : '0'
  if (!publicKey || didUrl !== `${did}#${fragment}`) return undefined
  // A did:jwk can contain any key; the caller's rules decide which algorithms are accepted.
  const isKnown = !isDidKey || accepted.some((name) => name === algorithmOf(publicKey))
  return isKnown ? { did, publicKey } : undefined
}
