/** What placeholders stand for; one that is undefined has no value this time. */
export type PlaceholderValues = Readonly<Record<string, string | number | undefined>>

const placeholder = /\{([a-zA-Z_]+)\}/g

/** The names of the placeholders in a text: `link` for `{link}`. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(placeholder)].map(([, name = '']) => name)

/**
 * Puts values into a text. Undefined where one of its placeholders has none; what is put in is not
 * looked at again.
 */
export function fillText(
  text: string,
  values: PlaceholderValues,
  encode: (value: string) => string = (value) => value,
): string | undefined {
  if (placeholdersIn(text).some((name) => values[name] === undefined)) return undefined
  return text.replace(placeholder, (_, name: string) => encode(String(values[name] ?? '')))
}

/** Puts values into an address; each one stays within its place there. */
export const fillUrl = (url: string, values: PlaceholderValues) =>
  fillText(url, values, encodeURIComponent)

/**
 * Puts values into the words of a command. A word with a placeholder that has no value is left out,
 * and so is the option before it where the word is nothing but the placeholder: `--pin {pin}`.
 */
export function fillWords(words: readonly string[], values: PlaceholderValues): string[] {
  const filled: string[] = []
  let isAfterOption = false
  for (const word of words) {
    const text = fillText(word, values)
    if (text !== undefined) filled.push(text)
    else if (isAfterOption && /^\{\w+\}$/.test(word)) filled.pop()
    isAfterOption = text !== undefined && /^-[^=]*$/.test(word)
  }
  return filled
}

/**
 * Puts values into all texts of a JSON value; members and elements without one are left out. A text
 * that is nothing but a placeholder becomes its value, so that numbers stay numbers.
 */
export function fillJson(value: unknown, values: PlaceholderValues): unknown {
  if (typeof value === 'string') {
    const [, alone] = /^\{([a-zA-Z_]+)\}$/.exec(value) ?? []
    return alone === undefined ? fillText(value, values) : values[alone]
  }
  if (Array.isArray(value)) {
    return value.map((item) => fillJson(item, values)).filter((item) => item !== undefined)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, fillJson(member, values)])
      .filter(([, member]) => member !== undefined),
  )
}
