import type { AccountClaims } from './account.ts'

function memberAt(claims: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (current, key) =>
        typeof current === 'object' && current !== null && Object.hasOwn(current, key)
          ? (current as Record<string, unknown>)[key]
          : undefined,
      claims,
    )
}

/**
 * Our claims from those of an external identity provider: one mapper for each attribute that is to
 * reach the final access token (document 1, IDP id_token claims). What has no mapper is dropped.
 * @param mappers our claim = path.to.theirs
 * @row 1.resources-and-their-fields/idp-id-token-claims.4
 */
export function mapClaims(
  mappers: Readonly<Record<string, string>>,
  claims: unknown,
): AccountClaims {
  return Object.fromEntries(
    Object.entries(mappers).flatMap(([name, path]) => {
      const value = memberAt(claims, path)
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
}
