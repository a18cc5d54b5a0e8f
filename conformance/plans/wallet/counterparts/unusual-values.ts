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
  {
    curve: 'P-256',
    alg: 'ES256',
    fix: 'Support ES256: verify the signature with the P-256 key (kty EC, crv P-256) that the DID document has under kid.',
  },
  {
    curve: 'Ed25519',
    alg: 'EdDSA',
    fix: 'Support EdDSA: verify the signature with the Ed25519 key (kty OKP, crv Ed25519) that the DID document has under kid.',
  },
] as const

/** What to change in a wallet that rejects some valid signatures with ES256K. */
export const signatureFixes = {
  highS:
    'Accept both values of s in an ES256K signature: turn off the low-S rule of your secp256k1 library, such as lowS in @noble/curves.',
  shortR:
    'Read r and s of an ES256K signature as 32 bytes each, with the zeros at their beginning.',
}

/** What to change in a wallet that rejects a valid DID document. */
export const documentFix =
  'Find the key in the DID document by its whole id, which is kid, regardless of its place and of how many there are. Ignore optional members of its JWK, methods of unknown types, and members that you do not know.'
