import { createPublicKey } from 'node:crypto'
import { decodeBase64url } from '#core/crypto/base64url.ts'
import { publicJwkFromHex } from '#core/crypto/jwk.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { errorCodes, validationError } from '../errors.ts'
import { type JwkObject, parseJwkObject } from './parse-jwk-object.ts'

/** A key in the form that the contract takes, with the number of its enum PublicKeyType. */
export interface ContractPublicKey {
  readonly publicKeyType: 0n | 1n
  readonly publicKey: Uint8Array
}

/** Bytes of a coordinate by curve (RFC 7518, 6.2.1.2; RFC 8037, section 2). */
const coordinateLengths = new Map([
  ['EC secp256k1', 32],
  ['EC P-256', 32],
  ['EC P-384', 48],
  ['EC P-521', 66],
  ['OKP Ed25519', 32],
  ['OKP X25519', 32],
  ['OKP Ed448', 57],
  ['OKP X448', 56],
])
const largestJwk = 4096

/**
 * Reads publicKey as publicKeyType says (Document 2, Verification method input).
 *
 * @assumption A-11 UNSUPPORTED is for the reserved type, a private member is refused
 * @throws TestbedError `UNSUPPORTED` for the type P-256, `validation_error` for a key that is none
 * @row 2.resources-and-their-fields/verification-method-input.2..6 2.limits.4
 */
export function parsePublicKey(input: {
  readonly publicKeyType: 'secp256k1' | 'JsonWebKey2020' | 'P-256'
  readonly publicKey: string
}): ContractPublicKey {
  refuseReservedType(input.publicKeyType)
  return input.publicKeyType === 'secp256k1'
    ? parseRawKey(input.publicKey)
    : parseSerializedJwk(input.publicKey)
}

/** As {@link parsePublicKey}, for the endpoints that take a raw secp256k1 key only. */
export function parseControlKey(input: {
  readonly publicKeyType: 'secp256k1' | 'JsonWebKey2020' | 'P-256'
  readonly publicKey: string
}): Uint8Array {
  refuseReservedType(input.publicKeyType)
  if (input.publicKeyType !== 'secp256k1') {
    throw validationError('publicKeyType: a control key can only be secp256k1.')
  }
  return parseRawKey(input.publicKey).publicKey
}

function refuseReservedType(publicKeyType: string): void {
  if (publicKeyType !== 'P-256') return
  throw new TestbedError({
    code: errorCodes.unsupported,
    status: 400,
    message: 'publicKeyType P-256 is reserved. Register the key as JsonWebKey2020 with crv P-256.',
  })
}

function parseRawKey(text: string): ContractPublicKey {
  if (!/^0x04[0-9a-fA-F]{128}$/.test(text)) {
    throw validationError('publicKey: must be 0x04, X and Y in hex, 130 characters after the 0x.')
  }
  if (publicJwkFromHex(text) === undefined) {
    throw validationError('publicKey: is no point of secp256k1.')
  }
  return { publicKeyType: 0n, publicKey: Buffer.from(text.slice(2), 'hex') }
}

function parseSerializedJwk(text: string): ContractPublicKey {
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(text) || text.length > 2 * largestJwk + 2) {
    throw validationError(
      `publicKey: must be a JWK as a JSON string, hex-encoded with 0x, of at most ${largestJwk} bytes.`,
    )
  }
  const bytes = Buffer.from(text.slice(2), 'hex')
  const result = parseJwkObject(bytes)
  const problem = result.ok ? problemOf(result.jwk) : result.problem
  if (problem !== undefined) throw validationError(`publicKey: ${problem}.`)
  return { publicKeyType: 1n, publicKey: bytes }
}

function problemOf(jwk: JwkObject): string | undefined {
  const { kty, crv, x, y } = jwk
  const length = coordinateLengths.get(`${kty} ${crv}`)
  if (length === undefined) return 'needs kty EC or OKP with a crv that belongs to it'
  const coordinates = kty === 'EC' ? [x, y] : [x]
  const complete = coordinates.every(
    (value) => typeof value === 'string' && decodeBase64url(value)?.length === length,
  )
  if (!complete) return `needs coordinates of ${length} bytes in base64url`
  try {
    createPublicKey({ key: { ...jwk }, format: 'jwk' })
    return undefined
  } catch {
    return `is no point of ${String(crv)}`
  }
}
