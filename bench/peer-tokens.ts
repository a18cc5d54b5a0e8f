import { createPublicKey, ECDH, type KeyObject, sign, verify } from 'node:crypto'
import { base58 } from '@scure/base'

// How the peers sign and verify: `node:crypto`, with each key imported once.

type Json = Readonly<Record<string, unknown>>

export interface Token<Payload = Json> {
  readonly header: Json
  readonly payload: Payload
}

const digests: Readonly<Record<string, string | null>> = {
  EdDSA: null,
  ES256K: 'sha256',
  RS256: 'sha256',
}

function digestOf(alg: unknown): string | null {
  const digest = digests[String(alg)]
  if (digest === undefined) throw new Error(`the algorithm ${alg} is not supported`)
  return digest
}

const encode = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
const decode = (text = '') => JSON.parse(Buffer.from(text, 'base64url').toString())

/** Signs a JWT. The header names the algorithm. */
export function signToken(header: object, payload: object, key: KeyObject): string {
  const input = `${encode(header)}.${encode(payload)}`
  const digest = digestOf((header as { alg?: unknown }).alg)
  const signature = sign(digest, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

/** Reads a JWT without verifying it. */
export function readToken<Payload = Json>(jwt: string): Token<Payload> {
  const [header, payload] = jwt.split('.')
  return { header: decode(header), payload: decode(payload) }
}

/** Verifies the signature of a JWT. Throws if it does not match. */
export function verifyToken<Payload = Json>(jwt: string, key: KeyObject): Token<Payload> {
  const token = readToken<Payload>(jwt)
  const [header, payload, signature = ''] = jwt.split('.')
  const input = Buffer.from(`${header}.${payload}`)
  const options = { key, dsaEncoding: 'ieee-p1363' as const }
  const bytes = Buffer.from(signature, 'base64url')
  if (!verify(digestOf(token.header.alg), input, options, bytes)) {
    throw new Error('the signature does not match')
  }
  return token
}

const keys = new Map<string, KeyObject>()

/** Imports a public key the first time. */
export function publicKeyOf(jwk: Readonly<Record<string, unknown>>): KeyObject {
  const { kty, crv, x, y, n, e } = jwk
  const name = JSON.stringify([kty, crv, x, y, n, e])
  const key = keys.get(name) ?? createPublicKey({ key: { ...jwk }, format: 'jwk' })
  keys.set(name, key)
  return key
}

/** The key in a did:key of Ed25519 or secp256k1: two bytes ahead of it name the curve. */
export function keyOfDidKey(did: string): KeyObject {
  const bytes = Buffer.from(base58.decode(did.slice('did:key:z'.length)))
  const key = bytes.subarray(2)
  const text = (part: Buffer) => part.toString('base64url')
  if (bytes[0] === 0xed) return publicKeyOf({ kty: 'OKP', crv: 'Ed25519', x: text(key) })
  const point = Buffer.from(
    ECDH.convertKey(key, 'secp256k1', undefined, 'base64url', 'uncompressed') as string,
    'base64url',
  )
  const [x, y] = [text(point.subarray(1, 33)), text(point.subarray(33))]
  return publicKeyOf({ kty: 'EC', crv: 'secp256k1', x, y })
}
