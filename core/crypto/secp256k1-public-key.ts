import type { PublicJwk } from './jwk.ts'
import { parsePublicJwk } from './parse-public-jwk.ts'

/**
 * A secp256k1 public key in the registry's form: 0x04, X and Y, 130 hex digits after the 0x
 * (Document 2, Verification method input). Throws a TypeError for another curve.
 */
export function publicKeyHexOf({ kty, crv, x = '', y = '' }: PublicJwk): `0x${string}` {
  if (kty !== 'EC' || crv !== 'secp256k1') throw new TypeError('not a secp256k1 key')
  const hex = (coordinate: string) =>
    Buffer.from(coordinate, 'base64url').toString('hex').padStart(64, '0')
  return `0x04${hex(x)}${hex(y)}`
}

/** The inverse of {@link publicKeyHexOf}; undefined where the text is no point of secp256k1. */
export function publicJwkFromHex(hex: string): PublicJwk | undefined {
  const digits = /^0x04([0-9a-fA-F]{64})([0-9a-fA-F]{64})$/.exec(hex)
  if (!digits) return undefined
  const coordinate = (index: number) =>
    Buffer.from(digits[index] ?? '', 'hex').toString('base64url')
  return parsePublicJwk({ kty: 'EC', crv: 'secp256k1', x: coordinate(1), y: coordinate(2) })
}
