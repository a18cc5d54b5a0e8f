import { isJsonObject } from '#core/json/json-object.ts'
import { nestsTooDeeply, parseJson } from '#core/json/read-json.ts'

/** The @context of a document whose base document has none. */
export const defaultContext: readonly unknown[] = [
  'https://www.w3.org/ns/did/v1',
  'https://w3id.org/security/suites/jws-2020/v1',
]

/** The base document if the request has none. */
export const defaultBaseDocument = JSON.stringify({ '@context': defaultContext })

/**
 * Reads the @context from a base document: `{"@context": …}` with one entry or a list, or just the
 * list or the string. Undefined if there is none, or if it is nested too deeply to be serialized
 * again; ignores other members of the object.
 */
export function parseBaseDocument(text: string): readonly unknown[] | undefined {
  const value = parseJson(text)
  if (nestsTooDeeply(value)) return undefined
  if (isJsonObject(value) && !Object.hasOwn(value, '@context')) return undefined
  const context = isJsonObject(value) ? value['@context'] : value
  const entries = Array.isArray(context) ? context : [context]
  return entries.length > 0 && entries.every(isContextEntry) ? entries : undefined
}

function isContextEntry(entry: unknown): boolean {
  return isJsonObject(entry)
    ? !Object.hasOwn(entry, '@context')
    : typeof entry === 'string' && entry !== ''
}
