import type { Mapper } from './parse-mapper.ts'

/**
 * The claims that mappers make out of a credential (its `vc` claim). Lists and objects become their
 * JSON text: `power` is a string that holds the serialized list (document 1). What the credential
 * does not hold gives no claim.
 *
 * @row 1.resources-and-their-fields/idp-id-token-claims.1..2
 */
export function mapClaims(
  mappers: readonly Mapper[],
  credential: unknown,
): Readonly<Record<string, unknown>> {
  const claims: Record<string, unknown> = {}
  for (const { claim, paths } of mappers) {
    const values = paths.map((path) => follow(credential, path)).filter((value) => value != null)
    if (values.length === 0) continue
    const [first] = values
    claims[claim] = paths.length === 1 ? simplify(first) : values.map(simplify).join(' ')
  }
  return claims
}

function follow(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (current, name) =>
      typeof current === 'object' && current !== null && Object.hasOwn(current, name)
        ? (current as Record<string, unknown>)[name]
        : undefined,
    value,
  )
}

function simplify(value: unknown): unknown {
  return typeof value === 'object' ? JSON.stringify(value) : value
}
