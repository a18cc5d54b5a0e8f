import { createPrivateKey, createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { createHolderDid } from '#core/crypto/holder-did.ts'
import { type PrivateJwk, type PublicJwk, parsePublicJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { createSignature, signJws, verifySignature } from '#core/crypto/jws.ts'
import { algorithmOf } from '#core/crypto/suites.ts'
import { parseJson } from '#core/json/read-json.ts'
import { privateKeyGiven, unreadablePublicKey, unreadableSigningKey } from '../errors.ts'

/** `typ` of a signed result, which identifies it (RFC 8725, 3.11). */
export const signedResultType = 'conformance-result+jwt'

/** `typ` of a signed statement about a product. */
export const statementType = 'conformance-statement+jwt'

/** The algorithms that a signature of an operator may have. */
export const signedResultAlgorithms = ['ES256', 'ES256K', 'EdDSA'] as const

/** The key that an operator signs results with. */
export interface OperatorKey {
  readonly algorithm: (typeof signedResultAlgorithms)[number]
  readonly privateKey: PrivateJwk
  /** DID URL, or any name under which the recipient of the result knows the key. */
  readonly kid: string
  /** The DID of `kid`, or `kid` itself if it is not a DID URL. */
  readonly issuer: string
}

const zPrivateJwk = z.looseObject({ kty: z.string(), crv: z.string(), d: z.base64url() })

/**
 * Reads a private key: a JWK, or PKCS#8 as PEM, of secp256k1, P-256 or Ed25519. Without a `keyId`
 * from the operator it is named by its did:key, or by its did:jwk for P-256.
 * @throws TestbedError `invalid_option` if it is not such a key; no error repeats the input
 */
export function readOperatorKey(text: string, keyId?: string): OperatorKey {
  const privateKey = text.trim().startsWith('{') ? readJwk(text) : readPem(text)
  const algorithm = signedResultAlgorithms.find((name) => name === algorithmOf(privateKey))
  if (algorithm === undefined)
    throw unreadableSigningKey('Its curve is not supported for signing results.')
  const probe = Buffer.from(signedResultType)
  const signature = createSignature(algorithm, privateKey, probe)
  if (!verifySignature(algorithm, publicJwkOf(privateKey), probe, signature)) {
    throw unreadableSigningKey('Its public members belong to a different key.')
  }
  const kid = keyId ?? holderKid(privateKey)
  return { algorithm, privateKey, kid, issuer: kid.split('#', 1)[0] ?? kid }
}

function holderKid(privateKey: PrivateJwk): string {
  const method = privateKey.crv === 'P-256' ? 'jwk' : 'key'
  return createHolderDid({ method, publicKey: publicJwkOf(privateKey) }).kid
}

function readJwk(text: string): PrivateJwk {
  try {
    // The crypto library rejects an invalid key and derives the public members.
    const jwk = zPrivateJwk.parse(JSON.parse(text))
    return exportJwk(createPrivateKey({ key: jwk, format: 'jwk' }))
  } catch {
    throw unreadableSigningKey('It is not a private JWK.')
  }
}

function readPem(text: string): PrivateJwk {
  try {
    return exportJwk(createPrivateKey(text))
  } catch {
    throw unreadableSigningKey('It is neither a JWK nor a private key in PEM without a passphrase.')
  }
}

function exportJwk(key: ReturnType<typeof createPrivateKey>): PrivateJwk {
  const { kty, crv, x, y, d } = key.export({ format: 'jwk' })
  return { kty, crv, x, ...(y === undefined ? {} : { y }), d } as PrivateJwk
}

export interface OperatorSignature {
  readonly typ: typeof signedResultType | typeof statementType
  /** The members of the payload except `iss` and `iat`. */
  readonly payload: object
  readonly key: OperatorKey
  /** Unix seconds. */
  readonly now: number
}

/** Signs what an operator states, as a JWS in compact serialization. */
export function signAsOperator({ typ, payload, key, now }: OperatorSignature): string {
  return signJws({
    header: { alg: key.algorithm, typ, kid: key.kid },
    payload: { iss: key.issuer, iat: now, ...payload },
    privateKey: key.privateKey,
  })
}

/**
 * Reads a public key to verify signatures with: a JWK, or SPKI as PEM, of secp256k1, P-256 or
 * Ed25519.
 * @param file where it was read, for errors
 * @throws TestbedError `invalid_option` if it is not such a key, or if it is a private key
 */
export function readPublicKey(text: string, file: string): PublicJwk {
  const value = text.trim().startsWith('{') ? parseJson(text) : undefined
  // The library would derive the public key of a private key, and the operator might publish the
  // private one.
  if (/PRIVATE KEY/.test(text) || Object.hasOwn(Object(value), 'd')) throw privateKeyGiven(file)
  const key = parsePublicJwk(value ?? exportPem(text))
  if (key !== undefined) return key
  throw unreadablePublicKey()
}

function exportPem(text: string): unknown {
  try {
    return createPublicKey(text).export({ format: 'jwk' })
  } catch {
    return undefined
  }
}
