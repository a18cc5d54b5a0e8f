import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
} from 'node:crypto'
import { isPrivate, pointFromScalar } from 'tiny-secp256k1'
import { decodeBase64url, encodeBase64url } from './base64url.ts'
import { algorithmOf, type HolderCurve } from './suites.ts'

/** A public key as a JWK (RFC 7517). */
export interface PublicJwk {
  kty: string
  crv?: string
  x?: string
  y?: string
  n?: string
  e?: string
  kid?: string
  alg?: string
  use?: string
}

/** A private key as a JWK. The members after `d` belong to RSA keys. */
export interface PrivateJwk extends PublicJwk {
  d: string
  p?: string
  q?: string
  dp?: string
  dq?: string
  qi?: string
}

/**
 * The public part of a JWK: the members that RFC 7638 requires for its key type, and `kid`, `alg`
 * and `use` where it has them. Private members never pass, nor any that is unknown here.
 */
export function publicJwkOf(jwk: PublicJwk): PublicJwk {
  const { kty, crv, x, y, n, e, kid, alg, use } = jwk
  const members = Object.entries({ crv, x, y, n, e, kid, alg, use })
  return { kty, ...Object.fromEntries(members.filter(([, value]) => value !== undefined)) }
}

/** The members that make a key of each type, in the lexicographic order that RFC 7638 asks for. */
const requiredMembers: Readonly<Record<string, readonly (keyof PublicJwk)[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
}

/**
 * The members that make this key and nothing else, as canonical JSON (RFC 7638, section 3.1).
 * Throws a TypeError where one is missing or the key type is unknown.
 */
export function canonicalJwk(jwk: PublicJwk): string {
  const names = Object.hasOwn(requiredMembers, jwk.kty) ? requiredMembers[jwk.kty] : undefined
  if (!names) throw new TypeError('the JWK has an unsupported key type')
  const members = names.map((name) => {
    const value = jwk[name]
    if (typeof value !== 'string') throw new TypeError(`the JWK lacks ${name}`)
    return [name, value] as const
  })
  return JSON.stringify(Object.fromEntries(members))
}

/** The base64url SHA-256 thumbprint of a key, public or private alike (RFC 7638). */
export function jwkThumbprint(jwk: PublicJwk): string {
  return createHash('sha256').update(canonicalJwk(jwk)).digest('base64url')
}

const mostPublicKeys = 1000
const publicKeys = new Map<string, KeyObject>()
const privateKeys = new WeakMap<PrivateJwk, KeyObject>()

/**
 * The public key as node:crypto's KeyObject. Importing one costs as much as some signatures, and the
 * same key comes in many documents, so that the newest thousand are kept by what makes the key.
 * Throws where it is no key.
 */
export function publicKeyObjectOf(jwk: PublicJwk): KeyObject {
  const { kty, crv, x, y, n, e } = jwk
  // As JSON: no two keys give the same text, whatever stands in the members.
  const name = JSON.stringify([kty, crv, x, y, n, e])
  const known = publicKeys.get(name)
  if (known) return known
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  const [oldest] = publicKeys.keys()
  if (publicKeys.size >= mostPublicKeys && oldest !== undefined) publicKeys.delete(oldest)
  publicKeys.set(name, key)
  return key
}

/**
 * The private counterpart of {@link publicKeyObjectOf}, kept as long as the JWK object lives. A JWK
 * is not to be changed after its first use.
 */
export function privateKeyObjectOf(jwk: PrivateJwk): KeyObject {
  const known = privateKeys.get(jwk)
  if (known) return known
  const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' })
  privateKeys.set(jwk, key)
  return key
}

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/**
 * Reads untrusted input as a public JWK of secp256k1, P-256 or Ed25519: coordinates of exactly 32
 * bytes in strict base64url and a point on the curve. Anything else gives undefined, a key that
 * carries a private member too (RFC 7517, section 9.2; whoever published that has lost it).
 */
export function parsePublicJwk(value: unknown): PublicJwk | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if (privateMembers.some((name) => Object.hasOwn(value, name))) return undefined
  const jwk = value as PublicJwk
  if (jwk.kty === 'RSA' || !algorithmOf(jwk)) return undefined
  const coordinates = jwk.kty === 'EC' ? [jwk.x, jwk.y] : [jwk.x]
  const complete = coordinates.every(
    (text) => typeof text === 'string' && decodeBase64url(text)?.length === 32,
  )
  if (!complete) return undefined
  try {
    publicKeyObjectOf(jwk)
  } catch {
    return undefined
  }
  return publicJwkOf(jwk)
}

// RFC 8410, section 7: what stands before the 32 bytes of an Ed25519 key in PKCS #8.
const ed25519Pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Makes a private JWK from the 32 bytes of a secret: the scalar for secp256k1 and P-256, the seed of
 * RFC 8032 for Ed25519. Throws a TypeError for a secret that is none (wrong length, or no scalar of the curve).
 */
export function createPrivateJwk(curve: HolderCurve, secret: Uint8Array): PrivateJwk {
  if (secret.length !== 32) throw new TypeError('a secret key has 32 bytes')
  if (curve === 'Ed25519') {
    const key = createPrivateKey({
      key: Buffer.concat([ed25519Pkcs8Prefix, secret]),
      format: 'der',
      type: 'pkcs8',
    })
    const { x } = key.export({ format: 'jwk' })
    return { kty: 'OKP', crv: curve, x: String(x), d: encodeBase64url(secret) }
  }
  const point = uncompressedPoint[curve](secret)
  if (!point) throw new TypeError(`not a secret key of ${curve}`)
  return {
    kty: 'EC',
    crv: curve,
    x: encodeBase64url(point.subarray(1, 33)),
    y: encodeBase64url(point.subarray(33)),
    d: encodeBase64url(secret),
  }
}

/** The point of a scalar as 0x04, X and Y; null where the curve has no such scalar. */
const uncompressedPoint = {
  secp256k1: (scalar: Uint8Array) => (isPrivate(scalar) ? pointFromScalar(scalar, false) : null),
  'P-256': (scalar: Uint8Array) => {
    const ecdh = createECDH('prime256v1')
    try {
      ecdh.setPrivateKey(scalar)
    } catch {
      return null
    }
    return ecdh.getPublicKey()
  },
}

/** Makes a secp256k1 private JWK from 0x-prefixed hex of 32 bytes, the form that chain tools use. */
export function privateJwkFromHex(hex: string): PrivateJwk {
  if (!/^0x[0-9a-fA-F]{64}$/.test(hex)) throw new TypeError('a private key is 0x and 64 hex digits')
  return createPrivateJwk('secp256k1', Buffer.from(hex.slice(2), 'hex'))
}

/** The 0x-prefixed hex of a secp256k1 private JWK; the inverse of {@link privateJwkFromHex}. */
export function privateKeyHexOf(jwk: PrivateJwk): string {
  if (jwk.crv !== 'secp256k1') throw new TypeError('not a secp256k1 key')
  return `0x${Buffer.from(jwk.d, 'base64url').toString('hex').padStart(64, '0')}`
}

/**
 * A secp256k1 public key in the registry's form: 0x04, X and Y, 130 hex digits after the 0x
 * (Document 2, Verification method input). Throws a TypeError for another curve.
 */
export function publicKeyHexOf({ kty, crv, x = '', y = '' }: PublicJwk): `0x${string}` {
  if (kty !== 'EC' || crv !== 'secp256k1') throw new TypeError('not a secp256k1 key')
  const hex = (coordinate: string) =>
    Buffer.from(coordinate, 'base64url').toString('hex').padStart(64, '0')
  return `0x04${hex(x)}${hex(y)}`
}

/** The inverse of {@link publicKeyHexOf}; undefined where the text is no point of secp256k1. */
export function publicJwkFromHex(hex: string): PublicJwk | undefined {
  const digits = /^0x04([0-9a-fA-F]{64})([0-9a-fA-F]{64})$/.exec(hex)
  if (!digits) return undefined
  const coordinate = (index: number) =>
    Buffer.from(digits[index] ?? '', 'hex').toString('base64url')
  return parsePublicJwk({ kty: 'EC', crv: 'secp256k1', x: coordinate(1), y: coordinate(2) })
}
