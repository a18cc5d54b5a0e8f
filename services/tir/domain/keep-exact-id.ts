/** A number as it was spelled; `JSON.stringify` writes it so. */
export interface ExactNumber {
  readonly rawJSON: string
}

// Node has these of the proposal "JSON.parse source text access"; TypeScript's library does not yet.
const { rawJSON, isRawJSON } = JSON as typeof JSON & {
  rawJSON(text: string): ExactNumber
  isRawJSON(value: unknown): value is ExactNumber
}

/**
 * A reviver for `JSON.parse`: keeps an id whose spelling a double would change, such as a 64-bit
 * number, since an answer has the same id as its request (JSON-RPC 2.0, section 5).
 */
export function keepExactId(
  name: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const source = context?.source
  const isChanged = typeof value === 'number' && source !== undefined && source !== String(value)
  return name === 'id' && isChanged ? rawJSON(source) : value
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return isRawJSON(value)
}
