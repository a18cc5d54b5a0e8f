import { swapCase } from '../../kit/near-misses.ts'

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
