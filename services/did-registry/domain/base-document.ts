/** The @context of a document whose base document has none. */
export const defaultContext: readonly unknown[] = [
  'https://www.w3.org/ns/did/v1',
  'https://w3id.org/security/suites/jws-2020/v1',
]

/** The base document if the request has none. */
export const defaultBaseDocument = JSON.stringify({ '@context': defaultContext })

/**
 * Reads the @context from a base document: `{"@context": …}` with one entry or a list, or just the
 * list or the string. Undefined if there is none; ignores other members of the object.
 */
export function parseBaseDocument(text: string): readonly unknown[] | undefined {
  const value = parseJson(text)
  if (isObject(value) && !Object.hasOwn(value, '@context')) return undefined
  const context = isObject(value) ? value['@context'] : value
  const entries = Array.isArray(context) ? context : [context]
  return entries.length > 0 && entries.every(isContextEntry) ? entries : undefined
}

function isContextEntry(entry: unknown): boolean {
  return isObject(entry)
    ? !Object.hasOwn(entry, '@context')
    : typeof entry === 'string' && entry !== ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
