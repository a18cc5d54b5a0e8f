/** A query that changes if a wallet decodes and encodes it again, or drops a repeated parameter. */
export const unusualQuery = '?a=1%2F2&a=+&b=%20%2B&c=&d'

/** Every kind of character that a state may have (RFC 6749, A.5) and an encoding changes. */
export const unusualState = 'a b+c%20%2B&d=e;/?#"<\\>~'

/** A value as long as a token that contains its own data, such as a JWT. */
export const longToken = `${'Ab3-'.repeat(500)}9`

/** Why a request does not have the {@link unusualQuery}; undefined if it does. */
export const queryProblem = (
  requests: readonly { readonly path: string; readonly search: string }[],
): string | undefined => {
  // RFC 3986, 6.2.2.2: reserved characters such as a slash are not equivalent to their encoding.
  const changed = requests.find(({ search }) => search !== unusualQuery)
  return changed && `${changed.path} was requested with the query "${changed.search}".`
}

const texts = ['', '"', '\\', '\\"', '"\\', '\\\\', '\\\\"', '\\\\\\"', '""', 'a"b', '"\\"']

/**
 * Texts and names that JSON escapes. A reader that does not find their end takes the commas after
 * them for structure, and the same text for a repeated name.
 */
export const escapedTexts = texts.flatMap((text) => [
  { x: text, y: ',', z: ',', '': ',' },
  { [text]: text, x: ',', y: ',', z: ',' },
  [text, { x: ',', y: ',', z: ',' }],
])

/** The suites of keys other than secp256k1. */
export const otherSuites = [
  { curve: 'P-256', alg: 'ES256' },
  { curve: 'Ed25519', alg: 'EdDSA' },
] as const
