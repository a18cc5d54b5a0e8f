import { nestsTooDeeply } from '#core/json/read-json.ts'

const longestBody = 64 * 1024
const longestText = 16_000
const mostItems = 200
const tooDeep = '(cut here: too deep)'

const cutText = (text: string, limit: number) =>
  text.length <= limit
    ? text
    : `${text.slice(0, limit)}… (cut here: ${limit} of ${text.length} characters)`

function boundValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cutText(value, longestText)
  if (value === null || typeof value !== 'object') return value
  if (depth > 10) return tooDeep
  if (Array.isArray(value)) {
    const kept = value.slice(0, mostItems - 1).map((item) => boundValue(item, depth + 1))
    const more = value.length - kept.length
    return more === 0 ? kept : [...kept, `(cut here: ${more} more items)`]
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, boundValue(member, depth + 1)]),
  )
}

/** The value of a body in JSON or form encoding; otherwise its text. */
function decode(text: string, contentType: string): unknown {
  const looksLikeJson = /^\s*[{[]/.test(text)
  // JSON as a form would have a single name: all of its text.
  if (/urlencoded/i.test(contentType) && !looksLikeJson) {
    return Object.fromEntries(new URLSearchParams(text))
  }
  if (!/json/i.test(contentType) && !looksLikeJson) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A control character that text never contains: a body with one is shown only as its length. */
const isBinary = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\0-\x08\uFFFD]/.test(text.slice(0, 1000))

/**
 * A body as evidence keeps it: JSON and forms decoded, long values cut with a note of how much is
 * missing, binary data replaced by its length. Undefined for an empty body.
 */
export function boundBody(body: unknown, contentType = ''): unknown {
  if (body === undefined || body === '') return undefined
  if (typeof body !== 'string') {
    // Node 24 cannot serialize a value that is nested endlessly; Node 26 can.
    if (nestsTooDeeply(body)) return tooDeep
    const text = JSON.stringify(body) ?? ''
    return text.length > longestBody ? cutText(text, longestText) : boundValue(body)
  }
  if (isBinary(body)) return `<${body.length} characters of ${contentType || 'no content type'}>`
  if (body.length > longestBody) return cutText(body, longestText)
  return boundValue(decode(body, contentType))
}
