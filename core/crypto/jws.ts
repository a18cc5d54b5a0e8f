// A namespace import, so that an old Node without `hash` can still report that it is too old.
import crypto, {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { sign as signSecp256k1, verify as verifySecp256k1 } from 'tiny-secp256k1'
import { parseJsonObject } from '#core/json/read-json.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'
import { decodeBase64url, encodeBase64url, encodeJson } from './base64url.ts'
import { type PrivateJwk, type PublicJwk, pointOf } from './jwk.ts'
import { algorithmOf, type SigningAlgorithm } from './suites.ts'

/** A private key that is imported only once, for repeated signatures. */
export interface SigningKey {
  readonly kty: string
  readonly crv?: string
  sign(data: Uint8Array): Uint8Array
}

/** Prepares a private JWK for signing. The first signature imports it. */
export function createSigningKey(privateKey: PrivateJwk): SigningKey {
  const { kty, crv } = privateKey
  const algorithm = algorithmOf(privateKey)
  let imported: KeyObject | undefined
  return {
    kty,
    ...(crv === undefined ? {} : { crv }),
    sign(data) {
      if (algorithm === 'ES256K') {
        const digest = crypto.hash('sha256', data, 'buffer')
        return signSecp256k1(digest, Buffer.from(privateKey.d, 'base64url'))
      }
      imported ??= createPrivateKey({ key: { ...privateKey }, format: 'jwk' })
      if (algorithm === 'EdDSA') return sign(null, data, imported)
      return sign('sha256', data, { key: imported, dsaEncoding: 'ieee-p1363' })
    },
  }
}

/**
 * Signs bytes with a private key and returns the signature in its JWS form: r and s of 32 bytes
 * each for ES256K and ES256, 64 bytes for EdDSA. ES256K is deterministic (RFC 6979) and low-S, so
 * that a seeded testbed produces the same bytes every time. Throws a TypeError if the key is not
 * for the algorithm.
 */
export function createSignature(
  algorithm: SigningAlgorithm,
  privateKey: PrivateJwk | SigningKey,
  data: Uint8Array,
): Uint8Array {
  if (algorithmOf(privateKey) !== algorithm) {
    throw new TypeError(`the key is not for the algorithm ${algorithm}`)
  }
  return ('sign' in privateKey ? privateKey : createSigningKey(privateKey)).sign(data)
}

const minimumRsaBits = 2048

/**
 * Verifies a signature in its JWS form. The algorithm must match the key, and an elliptic curve
 * signature must have exactly 64 bytes. A high-S ES256K signature is valid: JOSE does not require
 * low-S, and half of OpenSSL's signatures are high. Never throws; returns false for an invalid key.
 */
export function verifySignature(
  algorithm: SigningAlgorithm,
  publicKey: PublicJwk,
  data: Uint8Array,
  signature: Uint8Array,
  cache?: VerificationCache,
): boolean {
  if (algorithmOf(publicKey) !== algorithm) return false
  if (algorithm !== 'RS256' && signature.length !== 64) return false
  try {
    if (algorithm === 'ES256K') {
      return verifySecp256k1(crypto.hash('sha256', data, 'buffer'), pointOf(publicKey), signature)
    }
    const key = importPublicKey(publicKey, cache)
    if (algorithm === 'EdDSA') return verify(null, data, key, signature)
    if (algorithm === 'RS256') {
      const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
      return bits >= minimumRsaBits && verify('sha256', data, key, signature)
    }
    return verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

/** Throws if it is not a valid key. */
function importPublicKey(jwk: PublicJwk, cache: VerificationCache | undefined): KeyObject {
  const create = () => createPublicKey({ key: { ...jwk }, format: 'jwk' })
  return cache?.keepPublicKey(JSON.stringify(jwk), create) ?? create()
}

export interface ParsedJws {
  readonly header: Readonly<Record<string, unknown>> & { readonly alg: string }
  readonly payload: Readonly<Record<string, unknown>>
  /** The ASCII text that was signed. */
  readonly signingInput: string
  readonly signature: Uint8Array
}

export type ParseJwsResult =
  | ({ readonly ok: true } & ParsedJws)
  | { readonly ok: false; readonly reason: string }

/**
 * Parses a JWS in compact serialization, without verifying it. Header and payload must be JSON
 * objects in strict base64url and UTF-8, with unique names (RFC 7515, section 4; RFC 7519, section
 * 4). `alg: none` parses, so that a verifier can report it. A `crit` header is rejected, because no
 * extension is supported (RFC 7515, sections 4.1.11 and 5.2).
 */
export function parseJws(compact: string): ParseJwsResult {
  const parts = compact.split('.', 4)
  if (parts.length !== 3)
    return { ok: false, reason: 'a JWS in compact form must have three parts' }
  const [encodedHeader, encodedPayload, encodedSignature] = parts as [string, string, string]
  const header = parseJsonObject(decodeBase64url(encodedHeader))
  if (!header) return { ok: false, reason: 'the header is not a valid JSON object in base64url' }
  if (typeof header.alg !== 'string') return { ok: false, reason: 'the header has no alg' }
  if (header.crit !== undefined) {
    return { ok: false, reason: 'the header has critical extensions, which are not supported' }
  }
  const payload = parseJsonObject(decodeBase64url(encodedPayload))
  if (!payload) return { ok: false, reason: 'the payload is not a valid JSON object in base64url' }
  const signature = decodeBase64url(encodedSignature)
  if (!signature) return { ok: false, reason: 'the signature is not base64url' }
  return {
    ok: true,
    header: header as ParsedJws['header'],
    payload,
    signingInput: `${encodedHeader}.${encodedPayload}`,
    signature,
  }
}

export interface JwsHeader {
  readonly alg: SigningAlgorithm
  readonly typ?: string
  readonly kid?: string
  readonly [name: string]: unknown
}

export interface SignJwsOptions {
  readonly header: JwsHeader
  readonly payload: object
  readonly privateKey: PrivateJwk | SigningKey
}

/** The text that the signature of a JWS covers (RFC 7515, section 5.1). */
export const createSigningInput = (header: object, payload: object): string =>
  `${encodeJson(header)}.${encodeJson(payload)}`

/**
 * Signs a JSON payload as a JWS in compact serialization (RFC 7515, section 3.1). Throws a
 * TypeError if `alg` does not match the key.
 */
export function signJws({ header, payload, privateKey }: SignJwsOptions): string {
  const signingInput = createSigningInput(header, payload)
  const signature = createSignature(header.alg, privateKey, Buffer.from(signingInput))
  return `${signingInput}.${encodeBase64url(signature)}`
}

export interface VerifyJwsOptions {
  readonly jws: ParsedJws
  /** The key that the caller resolved. Keys in the header are never used. */
  readonly publicKey: PublicJwk
  /** The algorithms that the caller accepts. */
  readonly algorithms: readonly SigningAlgorithm[]
  readonly cache?: VerificationCache | undefined
  /**
   * True for documents that many messages refer to, such as accreditations and status lists: a
   * valid signature is cached and not verified again. Default: false.
   */
  readonly remember?: boolean | undefined
}

/**
 * Verifies that the given key made the signature, with one of the accepted algorithms (RFC 7515,
 * section 5.2). If the key has `alg`, it must match; if it has `use`, it must be sig. Never throws.
 */
export function verifyJws(options: VerifyJwsOptions): boolean {
  const { jws, publicKey, algorithms, cache, remember = false } = options
  const algorithm = algorithms.find((name) => name === jws.header.alg)
  if (!algorithm) return false
  if (publicKey.alg !== undefined && publicKey.alg !== algorithm) return false
  if (publicKey.use !== undefined && publicKey.use !== 'sig') return false
  const verify = () =>
    verifySignature(algorithm, publicKey, Buffer.from(jws.signingInput), jws.signature, cache)
  if (!cache || !remember) return verify()
  // The result depends only on key, input and signature, so a valid signature stays valid.
  const name = createHash('sha256')
    .update(JSON.stringify([publicKey, jws.signingInput]))
    .update(jws.signature)
    .digest('base64url')
  return cache.keepSignature(name, () => verify() || undefined) ?? false
}
