import { isUtf8 } from 'node:buffer'
import { isJsonObject, type JsonObject } from './json-object.ts'

/** No message of these protocols is nested half as deeply. */
export const deepestNesting = 32

const deepestOfBodies = 100

/**
 * Finds problems in JSON text that `JSON.parse` accepts: bytes that are not UTF-8 and would become
 * U+FFFD, a byte order mark (RFC 8259, section 8.1), a duplicate name in an object, for which
 * parsers return different values (section 4), and more than `deepest` levels of nesting. The
 * parser itself detects invalid JSON. Takes linear time.
 */
export function findJsonProblem(bytes: Buffer, deepest = deepestOfBodies): string | undefined {
  if (!isUtf8(bytes)) return 'it is not in UTF-8'
  const text = bytes.toString('utf8')
  if (text.startsWith('\ufeff')) return 'it begins with a byte order mark'
  // The names so far of each open object, undefined for an open array.
  const open: (Set<string> | undefined)[] = []
  let expectsName = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      const end = endOfText(text, at)
      const names = open.at(-1)
      if (expectsName && names !== undefined) {
        const name = decodeName(text.slice(at, end + 1))
        if (names.has(name)) return 'an object contains a name twice'
        names.add(name)
        expectsName = false
      }
      at = end
    } else if (character === '{' || character === '[') {
      if (open.length === deepest) return `it is nested deeper than ${deepest} levels`
      open.push(character === '{' ? new Set() : undefined)
      expectsName = character === '{'
    } else if (character === '}' || character === ']') open.pop()
    else if (character === ',') expectsName = open.at(-1) !== undefined
  }
  return undefined
}

/** Parses JSON; undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses an object in a signed message; undefined for other JSON, and for one with a problem. */
export function parseJsonObject(bytes: Buffer | undefined): JsonObject | undefined {
  if (!bytes || findJsonProblem(bytes, deepestNesting) !== undefined) return undefined
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the index of the quotation mark that ends the string which begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

/** `"\u0061"` and `"a"` are the same name. */
function decodeName(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal
  }
}

/**
 * True if a JSON value is nested more deeply than any message of these protocols. Works without
 * recursion, so that excessive nesting cannot exhaust the stack.
 */
export function nestsTooDeeply(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= deepestNesting; depth++) {
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    )
    if (level.length === 0) return false
  }
  return true
}
