/** The values of placeholders. An undefined placeholder has no value this time. */
export type PlaceholderValues = Readonly<Record<string, string | number | undefined>>

const placeholder = /\{([a-zA-Z_]+)\}/g

/** The names of the placeholders in a template: `link` for `{link}`. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(placeholder)].map(([, name = '']) => name)

/**
 * Fills in a template. Undefined if a placeholder has no value. Placeholders in the values are not
 * replaced.
 */
export function fillText(
  text: string,
  values: PlaceholderValues,
  encode: (value: string) => string = (value) => value,
): string | undefined {
  if (placeholdersIn(text).some((name) => values[name] === undefined)) return undefined
  return text.replace(placeholder, (_, name: string) => encode(String(values[name] ?? '')))
}

/** Fills in an address; each value is encoded so that it cannot change the other parts. */
export const fillUrl = (url: string, values: PlaceholderValues) =>
  fillText(url, values, encodeURIComponent)

/**
 * Fills in the words of a command. A word with a placeholder that has no value is left out. If the
 * word is only the placeholder, the option before it is left out as well: `--pin {pin}`.
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
 * Fills in all strings of a JSON value. Members and elements without a value are left out. A string
 * that is only a placeholder becomes its value, so that numbers stay numbers.
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
