import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
} from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import { type PrivateJwk, type PublicJwk, pointOf, publicJwkOf } from '#core/crypto/jwk.ts'
import { createSigningInput } from '#core/crypto/jws.ts'

const keyObjectOf = (publicKey: PublicJwk) =>
  createPublicKey({ key: { ...publicJwkOf(publicKey) }, format: 'jwk' })

const pemOf = (publicKey: PublicJwk) =>
  String(keyObjectOf(publicKey).export({ type: 'spki', format: 'pem' }))

/** A MAC in place of a signature, with a secret that anyone knows. */
export interface MacForgery {
  /** The secret, to follow `a MAC with`. */
  readonly secret: string
  readonly alg: 'HS256' | 'HS512'
  readonly read: (publicKey: PublicJwk) => string | Uint8Array
}

/**
 * What a verifier that trusts `alg` takes for the secret: its public key of any type, in the form in
 * which its library has keys, or nothing if it found no key.
 */
export const rsaMacForgeries: readonly MacForgery[] = [
  { secret: 'the PEM of the public key', alg: 'HS256', read: pemOf },
  { secret: 'the PEM of the public key', alg: 'HS512', read: pemOf },
  {
    secret: 'the PEM of the public key without its last line break',
    alg: 'HS256',
    read: (publicKey) => pemOf(publicKey).trimEnd(),
  },
  {
    secret: 'the DER of the public key',
    alg: 'HS256',
    read: (publicKey) => keyObjectOf(publicKey).export({ type: 'spki', format: 'der' }),
  },
  {
    secret: 'the JWK of the public key',
    alg: 'HS256',
    read: (publicKey) => JSON.stringify(publicJwkOf(publicKey)),
  },
  { secret: 'an empty secret', alg: 'HS256', read: () => '' },
]

/** Those, and the points that only keys of curves have. */
export const macForgeries: readonly MacForgery[] = [
  ...rsaMacForgeries,
  { secret: 'the point of the public key', alg: 'HS256', read: pointOf },
  { secret: 'the compressed point of the public key', alg: 'HS256', read: compress },
]

/** The form that a did:key contains. */
function compress({ x = '', y }: PublicJwk): Uint8Array {
  const bytes = Buffer.from(x, 'base64url')
  const last = y === undefined ? undefined : Buffer.from(y, 'base64url').at(-1)
  return last === undefined ? bytes : Uint8Array.of(2 + (last & 1), ...bytes)
}

export function createMac(
  { alg, read }: MacForgery,
  signingInput: string,
  publicKey: PublicJwk,
): Uint8Array {
  const hash = alg.replace('HS', 'sha')
  return createHmac(hash, read(publicKey)).update(signingInput).digest()
}

const { BASE, Fn } = secp256k1.Point

const numberIn = (text = '') => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)

/** A signer for ES256K. */
export type SignText = (input: string, privateKey: PrivateJwk) => Uint8Array

/** Twelve zero bits: one of 4096 signatures has them, so that a usual one rarely does. */
const shortest = 1n << 244n

/**
 * Creates a signature whose r begins with a zero byte, as one of 256 has it. If a system writes r as
 * a number without padding, it rejects one of 256 valid messages. For one signature only.
 */
export async function findShortR(): Promise<SignText> {
  let k = Fn.fromBytes(secp256k1.utils.randomSecretKey())
  let point = BASE.multiply(k)
  while (point.x >= shortest) {
    k = Fn.add(k, 1n)
    point = point.add(BASE)
    // The servers of the kit must answer meanwhile.
    if (k % 32n === 0n) await setImmediate()
  }
  const r = point.x
  return (input, key) => {
    const hash = createHash('sha256').update(input).digest('base64url')
    const s = Fn.mul(Fn.inv(k), Fn.create(numberIn(hash) + r * numberIn(key.d)))
    const numbers = [r, s < Fn.ORDER / 2n ? s : Fn.ORDER - s]
    return Buffer.from(numbers.map((each) => each.toString(16).padStart(64, '0')).join(''), 'hex')
  }
}

/** Signs a JWT that way. */
export const signJwtWith =
  (sign: SignText) => (header: object, payload: object, privateKey: PrivateJwk) => {
    const input = createSigningInput(header, payload)
    return `${input}.${encodeBase64url(sign(input, privateKey))}`
  }

type Bytes = Uint8Array

const der = (tag: number, ...parts: readonly Bytes[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const hex = (text: string) => Buffer.from(text, 'hex')
const sequence = (...parts: readonly Bytes[]) => der(0x30, ...parts)

/** The signature algorithms of certificates (RFC 3279, RFC 5758, RFC 8410), by key type. */
const algorithms: Readonly<Record<string, Bytes>> = {
  ec: sequence(hex('06082a8648ce3d040302')),
  ed25519: sequence(hex('06032b6570')),
  rsa: sequence(hex('06092a864886f70d01010b'), hex('0500')),
}

/** The extension subjectAltName with an IPv4 address (RFC 5280, 4.2.1.6). */
const addressExtension = (ipv4: string) => {
  const names = sequence(der(0x87, Buffer.from(ipv4.split('.').map(Number))))
  return der(0xa3, sequence(sequence(hex('0603551d11'), der(0x04, names))))
}

/**
 * Creates a self-signed certificate of a key, as an element of x5c (RFC 7515, 4.1.6), optionally
 * for the server at an IPv4 address.
 */
export function createCertificate(key: KeyObject, ipv4?: string): string {
  const { asymmetricKeyType: type = '' } = key
  const algorithm = algorithms[type] ?? sequence()
  const name = sequence(der(0x31, sequence(hex('0603550403'), der(0x0c, Buffer.from('kit')))))
  const times = ['200101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time)))
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const content = sequence(
    hex('a003020102'), // version 3
    hex('020101'),
    algorithm,
    name,
    sequence(...times),
    name,
    publicKey,
    ...(ipv4 === undefined ? [] : [addressExtension(ipv4)]),
  )
  const signature = sign(type === 'ed25519' ? null : 'sha256', content, key)
  return sequence(content, algorithm, der(0x03, Buffer.of(0), signature)).toString('base64')
}

export const certificateOfJwk = (jwk: PrivateJwk): string =>
  createCertificate(createPrivateKey({ key: { ...jwk }, format: 'jwk' }))

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Breaks the line within the signature: some decoders of base64 skip line breaks. */
export const breakSignature = (jwt: string): string => `${jwt.slice(0, -9)}\n${jwt.slice(-9)}`

/**
 * Writes a token or signature with another last character, which a lenient decoder reads as the same
 * bytes: the last character of 64 or 256 bytes has four unused bits.
 */
export const setUnusedBit = (text: string): string =>
  `${text.slice(0, -1)}${alphabet[alphabet.indexOf(text.slice(-1)) ^ 1]}`
