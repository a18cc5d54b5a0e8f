import { didPrefixes } from '#core/did/did-org.ts'

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

/** The DID with the same identifier in the other environment. */
export function inOtherEnvironment(did: string): string {
  const { pre, pro } = didPrefixes
  return did.startsWith(pre) ? did.replace(pre, pro) : did.replace(pro, pre)
}

/**
 * Texts that a careless comparison takes for the original: by prefix, by suffix, by length, or
 * without regard to case. Values without letters have no other case: see `changing`.
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

/** Those that change values like this one: digits, for example, have no other case. */
export const changing = (
  misses: readonly NearMiss<string>[],
  text: string,
): readonly NearMiss<string>[] => misses.filter(({ change }) => change(text) !== text)

/** Near misses of an identifier. In upper case a UUID is the same one (RFC 9562, 4). */
export const nearMissesOf = (text: string): readonly NearMiss<string>[] =>
  changing(nearMisses, text).filter(({ change }) => change !== swapCase || !isUuid(text))

/** Those that a comparison by prefix, or without regard to case, takes for the original. */
export const closestMisses: readonly NearMiss<string>[] = nearMisses.filter(({ what }) =>
  /^lacks|at its end$|case/.test(what),
)

export const spaceAtEnd: NearMiss<string> = {
  what: 'has a space at its end',
  change: (text) => `${text} `,
}

/** Texts that only a comparison without the white space around them takes for the original. */
export const untrimmedMisses: readonly NearMiss<string>[] = [
  spaceAtEnd,
  { what: 'has a line break at its end', change: (text) => `${text}\n` },
]

/** Values of other types that a lenient comparison takes for the original, or for none. */
export const otherTypes: readonly NearMiss[] = [
  { what: 'is the only element of a list', change: (text) => [text] },
  { what: 'is null', change: () => null },
  { what: 'is an empty string', change: () => '' },
]

/** A value that a careless comparison mistakes for the right one. */
export interface SimilarValue<Value = unknown> {
  /** To follow `with`: `a different letter case`. */
  readonly what: string
  readonly value: Value
  /** A comparison that accepts it is lenient: it only pads, trims or ignores the letter case. */
  readonly isLenient?: true
}

/** Strings that differ from the right value, each by one typical mistake of a comparison. */
export function similarValuesOf(value: string): readonly SimilarValue<string>[] {
  const middle = value.length >> 1
  const misses: readonly SimilarValue<string>[] = [
    { what: 'one character changed', value: withOther(value, middle) },
    { what: 'its first character changed', value: withOther(value, 0) },
    { what: 'its last character missing', value: value.slice(0, -1) },
    { what: 'its first character missing', value: value.slice(1) },
    { what: 'its first half', value: value.slice(0, middle) },
    { what: 'a character added at its end', value: `${value}x` },
    { what: 'the value twice', value: `${value}${value}` },
    { what: 'a wildcard instead of it', value: '*' },
    { what: 'a pattern that matches everything', value: '%' },
    { what: 'an empty value', value: '' },
    { what: 'a different case', value: swapCase(value), isLenient: true },
    { what: 'a space before it', value: ` ${value}`, isLenient: true },
    { what: 'a space after it', value: `${value} `, isLenient: true },
  ]
  return misses.filter((miss) => miss.value !== value)
}

/** JSON values of another type that a comparison may convert to the right value. */
export const wrongTypesOf = (value: string): readonly SimilarValue[] => [
  { what: 'null', value: null },
  { what: 'the number 0', value: 0 },
  { what: 'the value true', value: true },
  { what: 'a list with the value', value: [value] },
  { what: 'an empty list', value: [] },
  { what: 'an object with the value', value: { value } },
]

/** Changes a character to another one of the same kind, so that only its value is wrong. */
export function withOther(text: string, index: number): string {
  const character = text.charAt(index)
  const other = /\d/.test(character)
    ? String((Number(character) + 1) % 10)
    : character === 'a' || character === 'A'
      ? String.fromCharCode(character.charCodeAt(0) + 1)
      : /[a-z]/.test(character)
        ? 'a'
        : 'A'
  return text.slice(0, index) + other + text.slice(index + 1)
}
