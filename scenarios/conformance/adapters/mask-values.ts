/**
 * Replaces secrets wherever they stand in the texts of a value, also as they are written in
 * addresses, forms and JSON.
 */
export function maskValues<Value>(value: Value, secrets: readonly string[]): Value {
  const forms = new Set(
    secrets
      .filter((secret) => secret !== '')
      .flatMap((secret) => [
        secret,
        encodeURIComponent(secret),
        new URLSearchParams({ '': secret }).toString().slice(1),
        JSON.stringify(secret).slice(1, -1),
      ]),
  )
  // The longest first: one secret may be the beginning of another.
  const longestFirst = [...forms].sort((one, other) => other.length - one.length)
  return longestFirst.length === 0 ? value : (maskIn(value, longestFirst) as Value)
}

function maskIn(value: unknown, forms: readonly string[]): unknown {
  if (typeof value === 'string') {
    return forms.reduce((text, form) => text.replaceAll(form, '•••'), value)
  }
  if (Array.isArray(value)) return value.map((item) => maskIn(item, forms))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, maskIn(member, forms)]),
  )
}
