import type { PublicJwk } from './jwk.ts'

/**
 * The public part of a JWK: the members that RFC 7638 requires for its key type, and `kid`, `alg`
 * and `use` where it has them. Private members never pass, nor any that is unknown here.
 */
export function publicJwkOf(jwk: PublicJwk): PublicJwk {
  const { kty, crv, x, y, n, e, kid, alg, use } = jwk
  const members = { kty, crv, x, y, n, e, kid, alg, use }
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as unknown as PublicJwk
}
