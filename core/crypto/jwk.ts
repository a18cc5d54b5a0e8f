import { createECDH, createHash, createPrivateKey, ECDH } from 'node:crypto'
import { isPoint, isPrivate, pointFromScalar } from 'tiny-secp256k1'
import { isJsonObject } from '#core/json/json-object.ts'
import { decodeBase64url, encodeBase64url } from './base64url.ts'
import { type HolderCurve, holderSuiteOf, suites } from './suites.ts'

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
 * Returns the public part of a JWK: the members that RFC 7638 requires for its key type, and `kid`,
 * `alg` and `use` if present. Private and unknown members are dropped.
 */
export function publicJwkOf(jwk: PublicJwk): PublicJwk {
  const { kty, crv, x, y, n, e, kid, alg, use } = jwk
  const members = Object.entries({ crv, x, y, n, e, kid, alg, use })
  return { kty, ...Object.fromEntries(members.filter(([, value]) => value !== undefined)) }
}

/** The required members of each key type, in the lexicographic order that RFC 7638 requires. */
const requiredMembers: Readonly<Record<string, readonly (keyof PublicJwk)[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
}

/**
 * Returns the required members of a key as canonical JSON (RFC 7638, section 3.1). Throws a
 * TypeError if a member is missing or the key type is unknown.
 */
export function canonicalJwk(jwk: PublicJwk): string {
  const names = Object.hasOwn(requiredMembers, jwk.kty) ? requiredMembers[jwk.kty] : undefined
  if (!names) throw new TypeError('the JWK has an unsupported key type')
  const members = names.map((name) => {
    const value = jwk[name]
    if (typeof value !== 'string') throw new TypeError(`the JWK has no ${name}`)
    return [name, value] as const
  })
  return JSON.stringify(Object.fromEntries(members))
}

/** Computes the base64url SHA-256 thumbprint of a public or private key (RFC 7638). */
export function jwkThumbprint(jwk: PublicJwk): string {
  return createHash('sha256').update(canonicalJwk(jwk)).digest('base64url')
}

/**
 * Parses untrusted input as a public JWK of secp256k1, P-256 or Ed25519: coordinates of exactly 32
 * bytes in strict base64url and a point on the curve. Undefined for anything else, including a key
 * with its private member (RFC 7517, section 9.2), which is compromised.
 */
export function parsePublicJwk(value: unknown): PublicJwk | undefined {
  if (!isJsonObject(value) || Object.hasOwn(value, 'd')) return undefined
  const jwk = value as unknown as PublicJwk
  const suite = holderSuiteOf(jwk)
  if (!suite) return undefined
  const { kty, crv } = suites[suite]
  const coordinates = kty === 'EC' ? [jwk.x, jwk.y] : [jwk.x]
  const complete = coordinates.every(
    (text) => typeof text === 'string' && decodeBase64url(text)?.length === 32,
  )
  return complete && isOnCurve(jwk, crv) ? publicJwkOf(jwk) : undefined
}

/**
 * Returns 0x04, X and Y. If the JWK is not an elliptic curve key, the result is not 65 bytes and
 * not a valid point.
 */
export function pointOf({ x = '', y = '' }: PublicJwk): Uint8Array {
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

/**
 * Any 32 bytes are accepted for Ed25519; an invalid key does not verify any signature (RFC 8032,
 * 5.1.7).
 */
function isOnCurve(jwk: PublicJwk, curve: HolderCurve): boolean {
  if (curve === 'secp256k1') return isPoint(pointOf(jwk))
  if (curve === 'Ed25519') return true
  try {
    ECDH.convertKey(pointOf(jwk), 'prime256v1')
    return true
  } catch {
    return false
  }
}

// RFC 8410, section 7: the prefix of the 32 bytes of an Ed25519 key in PKCS #8.
const ed25519Pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Creates a private JWK from the 32 bytes of a secret: the scalar for secp256k1 and P-256, the seed
 * of RFC 8032 for Ed25519. Throws a TypeError for an invalid secret (wrong length, or not a scalar
 * of the curve).
 */
export function createPrivateJwk(curve: HolderCurve, secret: Uint8Array): PrivateJwk {
  if (secret.length !== 32) throw new TypeError('a secret key must have 32 bytes')
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

/** Whether 32 bytes are a private key of secp256k1: between 1 and the order of the curve. */
export const isPrivateScalar = (scalar: Uint8Array): boolean => isPrivate(scalar)

/** The point of a scalar as 0x04, X and Y; null if the scalar is not valid for the curve. */
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

/**
 * Creates a secp256k1 private JWK from 0x-prefixed hex of 32 bytes, the form that chain tools use.
 */
export function privateJwkFromHex(hex: string): PrivateJwk {
  if (!/^0x[0-9a-fA-F]{64}$/.test(hex))
    throw new TypeError('a private key must be 0x followed by 64 hex digits')
  return createPrivateJwk('secp256k1', Buffer.from(hex.slice(2), 'hex'))
}

/**
 * Returns the 0x-prefixed hex of a secp256k1 private JWK; the inverse of {@link privateJwkFromHex}.
 */
export function privateKeyHexOf(jwk: PrivateJwk): string {
  if (jwk.crv !== 'secp256k1') throw new TypeError('not a secp256k1 key')
  return `0x${Buffer.from(jwk.d, 'base64url').toString('hex').padStart(64, '0')}`
}

/**
 * Returns a secp256k1 public key in the registry's form: 0x04, X and Y, 130 hex digits after the 0x
 * (profile/did-registry, Keys). Throws a TypeError for another curve.
 */
export function publicKeyHexOf({ kty, crv, x = '', y = '' }: PublicJwk): `0x${string}` {
  if (kty !== 'EC' || crv !== 'secp256k1') throw new TypeError('not a secp256k1 key')
  const hex = (coordinate: string) =>
    Buffer.from(coordinate, 'base64url').toString('hex').padStart(64, '0')
  return `0x04${hex(x)}${hex(y)}`
}
