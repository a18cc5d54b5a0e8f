import { readFileSync } from 'node:fs'
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { describeFileError } from './describe-file-error.ts'

/** A configuration file, and where in it each value is. */
export interface ConfigurationFile {
  readonly value: unknown
  /** A problem with its place: `FILE:LINE: PATH: MESSAGE`. */
  describe(issue: z.core.$ZodIssue): string
}

function fileProblem(message: string, cause?: unknown): TestbedError {
  return new TestbedError({ code: 'invalid_configuration', status: 500, message, cause })
}

/**
 * Reads a configuration file in JSON.
 * @throws TestbedError `invalid_configuration` where it can't be read, is no JSON (with the line), or
 * has a key twice
 */
export function readJsonFile(path: string): ConfigurationFile {
  const text = readText(path)
  const lines = new LineCounter()
  // JSON is YAML 1.2, whose parser tells where each value stands and finds keys given twice.
  const document = parseDocument(text, { lineCounter: lines, schema: 'json' })
  const lineAt = (offset = 0) => lines.linePos(offset).line
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const line = lineAt(offsetOf(cause) ?? document.errors[0]?.pos[0])
    throw fileProblem(`${path}:${line}: this is no JSON`, cause)
  }
  const [twice] = document.errors.filter(({ code }) => code === 'DUPLICATE_KEY')
  if (twice) throw fileProblem(`${path}:${lineAt(twice.pos[0])}: a key is given twice`)
  return { value, describe: describeIn(path, document, lineAt) }
}

/**
 * Reads a configuration file in YAML.
 * @throws TestbedError `invalid_configuration` where it cannot be read or is not YAML, with every
 * line that is wrong
 */
export function readYamlFile(path: string): ConfigurationFile {
  const lines = new LineCounter()
  const document = parseDocument(readText(path), { lineCounter: lines, prettyErrors: false })
  const lineAt = (offset = 0) => lines.linePos(offset).line
  const [first] = document.errors
  if (first !== undefined) {
    const problems = document.errors.map(
      ({ pos, message }) => `${path}:${lineAt(pos[0])}: ${message}`,
    )
    throw fileProblem(problems.join('\n'), first)
  }
  try {
    return { value: document.toJS(), describe: describeIn(path, document, lineAt) }
  } catch (cause) {
    // Aliases that stand for more than a file of settings can mean.
    throw fileProblem(`${path}: ${(cause as Error).message}`, cause)
  }
}

function describeIn(path: string, document: Document, lineAt: (offset?: number) => number) {
  /** The line of the value at a path, or of the nearest value around it. */
  const lineOf = (wanted: readonly PropertyKey[]): number => {
    for (let length = wanted.length; length >= 0; length--) {
      const node = document.getIn(wanted.slice(0, length), true)
      if (hasRange(node)) return lineAt(node.range[0])
    }
    return 1
  }
  const lineOfKey = (parent: readonly PropertyKey[], key: string): number => {
    const map = document.getIn(parent, true)
    const pair = isMap(map)
      ? map.items.find((item) => isScalar(item.key) && item.key.value === key)
      : undefined
    return hasRange(pair?.key) ? lineAt(pair.key.range[0]) : lineOf(parent)
  }
  return (issue: z.core.$ZodIssue): string => {
    const name = issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `
    const [unknownKey] = issue.code === 'unrecognized_keys' ? issue.keys : []
    const line = unknownKey === undefined ? lineOf(issue.path) : lineOfKey(issue.path, unknownKey)
    return `${path}:${line}: ${name}${issue.message}`
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as { code?: unknown }
    throw fileProblem(`Cannot read ${path}: ${describeFileError(cause) ?? String(code)}`, cause)
  }
}

/** Where a text stops to be JSON; V8 tells it for most mistakes. */
function offsetOf(error: unknown): number | undefined {
  const offset = /at position (\d+)/.exec((error as Error).message)?.[1]
  return offset === undefined ? undefined : Number(offset)
}

function hasRange(node: unknown): node is { readonly range: readonly [number, number, number] } {
  return Array.isArray((node as { range?: unknown } | undefined)?.range)
}
