import { createHash } from 'node:crypto'
import type { PublicJwk } from './jwk.ts'

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
