/** A text's value as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text for the evidence: its beginning and its length where it is long. */
export const shorten = (text: string, longest = 16_384): string =>
  text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text

/** The end of what a program said, where errors stand. */
export const lastOf = (text: string, longest = 600): string =>
  text.length > longest ? `… ${text.slice(-longest)}` : text
