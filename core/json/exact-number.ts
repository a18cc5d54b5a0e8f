/** A number with its original spelling, which `JSON.stringify` keeps. */
export interface ExactNumber {
  readonly rawJSON: string
}

// Node supports the proposal "JSON.parse source text access"; TypeScript's library does not yet.
const { rawJSON, isRawJSON } = JSON as typeof JSON & {
  rawJSON(text: string): ExactNumber
  isRawJSON(value: unknown): value is ExactNumber
}

/**
 * A reviver for `JSON.parse`: keeps an id that a double cannot represent, such as a 64-bit number,
 * since a response must have the same id as its request (JSON-RPC 2.0, section 5).
 */
export function keepExactId(
  name: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const source = typeof value === 'number' ? context?.source : undefined
  return name === 'id' && source !== undefined ? rawJSON(source) : value
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return isRawJSON(value)
}
