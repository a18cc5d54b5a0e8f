import { base58 } from '@scure/base'
import { pointCompress } from 'tiny-secp256k1'
import { encodeBase64url } from './base64url.ts'
import type { PublicJwk } from './jwk.ts'
import { parsePublicJwk } from './parse-public-jwk.ts'

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
