/** A small change of a value that a system must compare exactly. */
export interface NearMiss<Value = unknown> {
  /** What it does, to follow the name of the value: `nonce` `lacks its last character`. */
  readonly what: string
  readonly change: (text: string) => Value
}

/** The text with upper case and lower case exchanged. */
export const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** Changes the case of the last letter that base58btc has in both cases. */
export const withOtherCase = (text: string): string =>
  text.replace(/[a-hjkmnp-z](?=[^a-hjkmnp-z]*$)/i, swapCase)

/**
 * Texts that a careless comparison takes for the original: by prefix, by suffix, by length, or
 * without regard to case. The original must contain a letter.
 */
export const nearMisses: readonly NearMiss<string>[] = [
  { what: 'lacks its last character', change: (text) => text.slice(0, -1) },
  { what: 'has one more character at its end', change: (text) => `${text}2` },
  { what: 'has one more character before it', change: (text) => `2${text}` },
  {
    what: 'has a different last character',
    change: (text) => `${text.slice(0, -1)}${text.endsWith('2') ? '3' : '2'}`,
  },
  { what: 'has upper case and lower case exchanged', change: swapCase },
]

export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text)

/** Near misses of an identifier. In upper case a UUID is the same one (RFC 9562, 4). */
export const nearMissesOf = (text: string): readonly NearMiss<string>[] =>
  isUuid(text) ? nearMisses.filter(({ change }) => change !== swapCase) : nearMisses

/** Those that a comparison by prefix, or without regard to case, takes for the original. */
export const closestMisses: readonly NearMiss<string>[] = nearMisses.filter(({ what }) =>
  /^lacks|at its end$|case/.test(what),
)

/** Values of other types that a lenient comparison takes for the original, or for none. */
export const otherTypes: readonly NearMiss[] = [
  { what: 'is the only element of a list', change: (text) => [text] },
  { what: 'is null', change: () => null },
  { what: 'is an empty string', change: () => '' },
]
