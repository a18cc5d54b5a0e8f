import { query } from 'jsonpath-rfc9535'

/** Says whether a text is a JSONPath (RFC 9535). */
export function isJsonPath(text: string): boolean {
  try {
    query({}, text)
    return true
  } catch {
    return false
  }
}
