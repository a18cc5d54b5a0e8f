/** How a text names token number 7: `\uE0007\uE001`, two characters for private use. */
const reference = /\uE000(\d+)\uE001/

/** A text cut at its tokens: texts and token numbers in turn. */
export const splitText = (text) => text.split(reference)

/** A text of one line, with each token in it by a word. */
export const plainText = (text) =>
  splitText(text)
    .map((part, index) => (index % 2 === 1 ? '‹token›' : part))
    .join('')

const below = (path, name) =>
  typeof name === 'number' ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`

/** Tokens in a message, in the order in which they stand there: `{path, number}`. */
export function findTokens(value, path = '') {
  if (typeof value === 'string') {
    return splitText(value).flatMap((part, index) =>
      index % 2 === 1 ? [{ path, number: Number(part) }] : [],
    )
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findTokens(item, below(path, index)))
  }
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, member]) => findTokens(member, below(path, name)))
}
