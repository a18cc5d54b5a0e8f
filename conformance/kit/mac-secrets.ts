import { createHmac, createPublicKey } from 'node:crypto'
import { type PublicJwk, pointOf, publicJwkOf } from '#core/crypto/jwk.ts'

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
 * What a verifier that trusts `alg` takes for the secret: its public key, in the form in which its
 * library has keys, or nothing if it found no key.
 */
export const macForgeries: readonly MacForgery[] = [
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
  { secret: 'the point of the public key', alg: 'HS256', read: pointOf },
  { secret: 'an empty secret', alg: 'HS256', read: () => '' },
]

export function createMac(
  { alg, read }: MacForgery,
  signingInput: string,
  publicKey: PublicJwk,
): Uint8Array {
  const hash = alg.replace('HS', 'sha')
  return createHmac(hash, read(publicKey)).update(signingInput).digest()
}
