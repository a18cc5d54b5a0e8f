import { createPublicKey } from 'node:crypto'
import { isPoint } from 'tiny-secp256k1'
import { z } from 'zod'
import { decodeBase64url } from '#core/crypto/base64url.ts'
import { findJsonProblem, nestsTooDeeply } from '#core/json/read-json.ts'
import { validationError } from '../errors.ts'
import { zProof, zPublicKey, zPublicKeyType, zUnixTime, zVMethodId } from './z-fields.ts'

/** A registered JWK: an object with a key type; its other members are unchecked. */
export interface JwkObject {
  readonly kty: string
  readonly [member: string]: unknown
}

export type JwkObjectResult =
  | { readonly ok: true; readonly jwk: JwkObject }
  | { readonly ok: false; readonly problem: string }

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/**
 * Parses a serialized JWK and checks what applies to every public key (RFC 7517, sections 4 and
 * 9.2).
 */
export function parseJwkObject(bytes: Uint8Array): JwkObjectResult {
  const value = parseJson(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, problem: 'does not contain a JSON object' }
  }
  if (nestsTooDeeply(value)) return { ok: false, problem: 'is nested too deeply' }
  if (privateMembers.some((name) => Object.hasOwn(value, name))) {
    return { ok: false, problem: 'contains a private key' }
  }
  if (typeof (value as JwkObject).kty !== 'string') return { ok: false, problem: 'has no kty' }
  return { ok: true, jwk: value as JwkObject }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** A key in the contract's format, with the number of its enum PublicKeyType. */
export interface ContractPublicKey {
  readonly publicKeyType: 0n | 1n
  readonly publicKey: Uint8Array
}

/** Bytes of a coordinate by curve (RFC 7518, 6.2.1.2). */
const coordinateLengths = new Map([
  ['secp256k1', 32],
  ['P-256', 32],
  ['P-384', 48],
  ['P-521', 66],
])
const largestJwk = 4096

/** The algorithm that a curve signs with (RFC 7518, 3.4; RFC 8812). */
const signatureAlgorithms: Readonly<Record<string, string>> = {
  secp256k1: 'ES256K',
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
}

interface PublicKeyInput {
  /** The schema has rejected the reserved P-256. */
  readonly publicKeyType: z.output<typeof zPublicKeyType>
  readonly publicKey: string
}

/**
 * Parses publicKey according to publicKeyType (profile/did-registry, Keys).
 *
 * @assumption A-11 a private member is rejected
 * @throws TestbedError `validation_error` for an invalid key
 * @row 2.resources-and-their-fields/verification-method-input.2..6 2.limits.4
 */
export function parsePublicKey(input: PublicKeyInput): ContractPublicKey {
  return input.publicKeyType === 'secp256k1'
    ? parseRawKey(input.publicKey)
    : parseSerializedJwk(input.publicKey)
}

/** Like {@link parsePublicKey}, for the endpoints that only accept a raw secp256k1 key. */
function parseControlKey(input: PublicKeyInput): Uint8Array {
  if (input.publicKeyType !== 'secp256k1') {
    throw validationError('publicKeyType: a control key can only be secp256k1.')
  }
  return parseRawKey(input.publicKey).publicKey
}

function parseRawKey(text: string): ContractPublicKey {
  if (!/^0x04[0-9a-fA-F]{128}$/.test(text)) {
    throw validationError('publicKey: must be 0x04, X and Y in hex, 130 characters after the 0x.')
  }
  const publicKey = Buffer.from(text.slice(2), 'hex')
  if (!isPoint(publicKey)) throw validationError('publicKey: is not a point of secp256k1.')
  return { publicKeyType: 0n, publicKey }
}

function parseSerializedJwk(text: string): ContractPublicKey {
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(text) || text.length > 2 * largestJwk + 2) {
    throw validationError(
      `publicKey: must be a JWK as a JSON string, hex-encoded with 0x, of at most ${largestJwk} bytes.`,
    )
  }
  const bytes = Buffer.from(text.slice(2), 'hex')
  const malformed = findJsonProblem(bytes)
  if (malformed !== undefined) throw validationError(`publicKey: ${malformed}.`)
  const result = parseJwkObject(bytes)
  const problem = result.ok ? problemOf(result.jwk) : result.problem
  if (problem !== undefined) throw validationError(`publicKey: ${problem}.`)
  return { publicKeyType: 1n, publicKey: bytes }
}

function problemOf(jwk: JwkObject): string | undefined {
  const { kty, crv, x, y, alg, use } = jwk
  const length = coordinateLengths.get(String(crv))
  if (kty !== 'EC' || length === undefined) return 'must have kty EC and the crv of an EC key'
  // Verifiers reject every signature of a key with another alg or use.
  const fits = alg === signatureAlgorithms[String(crv)] || /^ECDH-ES(\+|$)/.test(String(alg))
  if (alg !== undefined && !fits) return `has an alg that does not fit ${String(crv)}`
  if (use !== undefined && use !== 'sig' && use !== 'enc') return 'must have the use sig or enc'
  const complete = [x, y].every(
    (value) => typeof value === 'string' && decodeBase64url(value)?.length === length,
  )
  if (!complete) return `must have coordinates of ${length} bytes in base64url`
  try {
    createPublicKey({ key: { ...jwk }, format: 'jwk' })
    return undefined
  } catch {
    return `is not a point of ${String(crv)}`
  }
}

/** Decodes the 32 bytes of a validated vMethodId. */
export function vMethodIdBytes(vMethodId: string): Uint8Array {
  return Buffer.from(vMethodId, 'base64url')
}

/** The members for a control key and its proof (profile/did-registry, First document). */
export const controlKeyMembers = {
  vMethodId: zVMethodId,
  proof: zProof,
  publicKeyType: zPublicKeyType,
  publicKey: zPublicKey,
  notBefore: zUnixTime.describe('Unix time from which the key is valid'),
  notAfter: zUnixTime.describe('Unix time of expiry'),
}

const zControlKey = z.object(controlKeyMembers)

/**
 * Creates the contract's struct ControlKey.
 * @throws TestbedError `validation_error`
 */
export function createControlKey(input: z.output<typeof zControlKey>) {
  return {
    vMethodId: vMethodIdBytes(input.vMethodId),
    proof: Buffer.from(input.proof.slice(2), 'hex'),
    publicKey: parseControlKey(input),
    notBefore: BigInt(input.notBefore),
    notAfter: BigInt(input.notAfter),
  }
}
