/** A query that changes if a wallet decodes and encodes it again, or drops a repeated parameter. */
export const unusualQuery = '?a=1%2F2&a=+&b=%20%2B&c=&d'

/** A value as long as a token that contains its own data, such as a JWT. */
export const longToken = `${'Ab3-'.repeat(500)}9`

const parametersOf = (search: string) => JSON.stringify([...new URLSearchParams(search)])

/** Why a request does not have the {@link unusualQuery}; undefined if it does. */
export const queryProblem = (
  requests: readonly { readonly path: string; readonly search: string }[],
): string | undefined => {
  // RFC 3986 lets clients encode or decode characters such as a slash.
  const expected = parametersOf(unusualQuery)
  const changed = requests.find(({ search }) => parametersOf(search) !== expected)
  return changed && `${changed.path} was requested with the query "${changed.search}".`
}
