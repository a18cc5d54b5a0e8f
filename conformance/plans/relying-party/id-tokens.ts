import { generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint } from 'jose'
import { encodeBase64url, encodeJson } from '#core/crypto/base64url.ts'

/** An RSA key of the provider, or a key that pretends to be its. */
export interface ProviderKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicJwk: Readonly<Record<string, unknown>>
}

const generate = promisify(generateKeyPair)

/** Creates an RSA key. Its kid is new in every run, so that no application uses an old one. */
export async function createProviderKey(): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 })
  const jwk = publicKey.export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, privateKey, publicJwk: { ...jwk, kid, use: 'sig', alg: 'RS256' } }
}

type Members = Readonly<Record<string, unknown>>

/** How an ID token differs from a valid token. */
export interface TokenChanges {
  /** Members of the header; undefined removes one. */
  readonly header?: Members
  /** Claims; undefined removes one. */
  readonly claims?: Members
  /** Changes the JSON text of the claims before it is signed. */
  readonly text?: (claims: string) => string
  /** By default the provider's key signs. */
  readonly key?: ProviderKey
  /** A signature other than RS256. */
  readonly sign?: (input: string) => Uint8Array
  /** Replaces the signed token. */
  readonly change?: (token: string) => unknown
}

/** Signs a JWT with these claims and changes, as the provider does. */
export function signJwt(claims: Members, ownKey: ProviderKey, changes: TokenChanges = {}): string {
  const { key = ownKey, text = (json) => json } = changes
  const header = { alg: 'RS256', typ: 'JWT', kid: ownKey.kid, ...changes.header }
  const payload = text(JSON.stringify({ ...claims, ...changes.claims }))
  const input = `${encodeJson(header)}.${encodeBase64url(payload)}`
  const signature = changes.sign?.(input) ?? signRs256(input, key)
  return `${input}.${encodeBase64url(signature)}`
}

export const signRs256 = (input: string, { privateKey }: ProviderKey): Uint8Array =>
  sign('sha256', Buffer.from(input), privateKey)
