import { didPrefixes } from '#core/did/did-org.ts'

/** A small change of a value that a system must compare exactly. */
export interface NearMiss<Value = unknown> {
  /** What it does, to follow the name of the value: `nonce` `lacks its last character`. */
  readonly what: string
  readonly change: (text: string) => Value
  /** A comparison that accepts it is lenient: it only trims, pads or ignores the case. */
  readonly isLenient?: true
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

export const lineBreakAtEnd: NearMiss<string> = {
  what: 'has a line break at its end',
  change: (text) => `${text}\n`,
}

/** DIDs that a comparison by prefix, or without regard to case, takes for another one. */
export const similarDids: readonly NearMiss<string>[] = [
  ...closestMisses.filter(({ change }) => change !== swapCase),
  { what: 'has one letter in the other case', change: withOtherCase },
]

/** Texts that only a comparison without the white space around them takes for the original. */
export const untrimmedMisses: readonly NearMiss<string>[] = [spaceAtEnd, lineBreakAtEnd]

/** Values of other types that a lenient comparison takes for the original, or for none. */
export const otherTypes: readonly NearMiss[] = [
  { what: 'is the only element of a list', change: (text) => [text] },
  { what: 'is null', change: () => null },
  { what: 'is an empty string', change: () => '' },
]

/** Texts that a look-up by a part, by a pattern or by a trimmed text takes for the original. */
export const similarTexts: readonly NearMiss<string>[] = [
  { what: 'has one character changed', change: (text) => withOther(text, text.length >> 1) },
  { what: 'has a different first character', change: (text) => withOther(text, 0) },
  { what: 'lacks its last character', change: (text) => text.slice(0, -1) },
  { what: 'lacks its first character', change: (text) => text.slice(1) },
  { what: 'lacks its second half', change: (text) => text.slice(0, text.length >> 1) },
  { what: 'has one more character at its end', change: (text) => `${text}x` },
  { what: 'is there twice', change: (text) => `${text}${text}` },
  { what: 'is a wildcard', change: () => '*' },
  { what: 'is a pattern that matches everything', change: () => '%' },
  { what: 'is an empty string', change: () => '' },
  { what: 'has upper case and lower case exchanged', change: swapCase, isLenient: true },
  { what: 'has a space before it', change: (text) => ` ${text}`, isLenient: true },
  { ...spaceAtEnd, isLenient: true },
]

/** JSON values of other types that a look-up may convert to the original. */
export const convertibleTypes: readonly NearMiss[] = [
  { what: 'is null', change: () => null },
  { what: 'is the number 0', change: () => 0 },
  { what: 'is true', change: () => true },
  { what: 'is the only element of a list', change: (text) => [text] },
  { what: 'is an empty list', change: () => [] },
  { what: 'is the only member of an object', change: (text) => ({ value: text }) },
]

/** What near misses make of this text, without equal values. */
export const valuesOf = <Value>(misses: readonly NearMiss<Value>[], text: string) =>
  misses
    .map(({ change, ...miss }) => ({ ...miss, value: change(text) }))
    .filter(({ value }) => value !== text)

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
