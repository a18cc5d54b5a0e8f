/**
 * Claims that the provider sets (OpenID Connect Core 2 and 5.6.2, RFC 7519, RFC 9068), or we
 * compute.
 */
const providerClaims = new Set(
  'iss sub aud exp iat nbf jti azp nonce auth_time acr amr at_hash c_hash s_hash sid scope client_id cnf grant_id authorization_details _claim_names _claim_sources'.split(
    ' ',
  ),
)

/**
 * Returns whether the claim is unavailable to mappers: the provider sets it, or every object
 * inherits a member of that name. oidc-provider fails on a claim named `constructor`.
 */
export function isReservedClaim(name: string): boolean {
  return providerClaims.has(name) || name in Object.prototype
}

/** The value at a mapper's path; undefined if a member on the path is missing or inherited. */
export function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (current, name) =>
      typeof current === 'object' && current !== null && Object.hasOwn(current, name)
        ? (current as Record<string, unknown>)[name]
        : undefined,
    value,
  )
}
