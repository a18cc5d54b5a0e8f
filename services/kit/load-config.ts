import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Document } from 'yaml'
import type { z } from 'zod'
import { plainIssues } from '#core/json/plain-issues.ts'
import { invalidConfiguration } from './errors.ts'
import { describeFileError } from './files.ts'

const require = createRequire(import.meta.url)
/** Loaded only if there is a file to read. */
const loadYaml = () => require('yaml') as typeof import('yaml')

/**
 * Reads a service's configuration from environment variables. A value too long for a variable goes
 * into a JSON file that the variable with the suffix `_FILE` names:
 * `CREDENTIAL_TYPES_FILE=types.json` instead of `CREDENTIAL_TYPES=[…]`.
 * @throws TestbedError `invalid_configuration` that lists every problem, those of a file by line
 * and key
 */
export function loadConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<z.infer<Schema>> {
  const given: Record<string, unknown> = {}
  const files = new Map<PropertyKey, ConfigurationFile>()
  const problems: string[] = []
  for (const [key, member] of Object.entries(schema.shape)) {
    const variable = environmentVariableOf(key)
    const text = environment[variable]
    const path = environment[`${variable}_FILE`]
    if (path !== undefined && path !== '') {
      if (text !== undefined && text !== '') {
        problems.push(`${variable} and ${variable}_FILE are both set; remove one`)
      }
      const file = readJsonFile(path)
      files.set(key, file)
      given[key] = file.value
    } else if (text !== undefined && text !== '') {
      given[key] = readVariable(member as z.ZodType, text)
    }
  }
  const result = schema.safeParse(given, plainIssues)
  if (result.success && problems.length === 0) return Object.freeze(result.data)
  for (const issue of result.error?.issues ?? []) {
    const [key = '', ...path] = issue.path
    const file = files.get(key)
    problems.push(
      file?.describe({ ...issue, path }) ??
        `${environmentVariableOf(String(key))}: ${issue.message}`,
    )
  }
  throw invalidConfiguration(
    `The configuration has ${problems.length} problem${problems.length === 1 ? '' : 's'}:\n  ${problems.join('\n  ')}`,
  )
}

/**
 * Returns the environment variable of a configuration key: `CHAIN_RPC_URL` for `chainRpcUrl`.
 */
export function environmentVariableOf(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
}

/**
 * Parses a variable: returns its text if the setting is a string; parses other values (lists,
 * objects, numbers, booleans) as JSON.
 */
export function readVariable(member: z.ZodType, text: string): unknown {
  if (member.safeParse(text).success) return text
  if (!/^(\[|\{|-?\d+$|true$|false$)/.test(text.trim())) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A configuration file with the position of each value. */
export interface ConfigurationFile {
  readonly value: unknown
  /** Describes a problem with its position: `FILE:LINE: PATH: MESSAGE`. */
  describe(issue: z.core.$ZodIssue): string
}

/**
 * Reads a configuration file in JSON.
 * @throws TestbedError `invalid_configuration` if it cannot be read, is not valid JSON (with the
 * line), or has a duplicate key
 */
export function readJsonFile(path: string): ConfigurationFile {
  const text = readText(path)
  const { LineCounter, parseDocument } = loadYaml()
  const lines = new LineCounter()
  // JSON is YAML 1.2, whose parser reports the position of each value and duplicate keys.
  const document = parseDocument(text, { lineCounter: lines, schema: 'json' })
  const lineAt = (offset = 0) => lines.linePos(offset).line
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const line = lineAt(offsetOf(cause) ?? document.errors[0]?.pos[0])
    throw invalidConfiguration(`${path}:${line}: not valid JSON`, cause)
  }
  const [twice] = document.errors.filter(({ code }) => code === 'DUPLICATE_KEY')
  if (twice) throw invalidConfiguration(`${path}:${lineAt(twice.pos[0])}: duplicate key`)
  return { value, describe: describeIn(path, document, lineAt) }
}

/**
 * Reads a configuration file in YAML.
 * @throws TestbedError `invalid_configuration` if it cannot be read or is not YAML, with every
 * invalid line
 */
export function readYamlFile(path: string): ConfigurationFile {
  const { LineCounter, parseDocument } = loadYaml()
  const lines = new LineCounter()
  const document = parseDocument(readText(path), { lineCounter: lines, prettyErrors: false })
  const lineAt = (offset = 0) => lines.linePos(offset).line
  const [first] = document.errors
  if (first !== undefined) {
    const problems = document.errors.map(
      ({ pos, message }) => `${path}:${lineAt(pos[0])}: ${message}`,
    )
    throw invalidConfiguration(problems.join('\n'), first)
  }
  try {
    return { value: document.toJS(), describe: describeIn(path, document, lineAt) }
  } catch (cause) {
    // The aliases expand to far more than a configuration file needs.
    throw invalidConfiguration(`${path}: ${(cause as Error).message}`, cause)
  }
}

function describeIn(path: string, document: Document, lineAt: (offset?: number) => number) {
  /** The line of the value at a path, or of the nearest enclosing value. */
  const lineOf = (wanted: readonly PropertyKey[]): number => {
    for (let length = wanted.length; length >= 0; length--) {
      const node = document.getIn(wanted.slice(0, length), true)
      if (hasRange(node)) return lineAt(node.range[0])
    }
    return 1
  }
  const lineOfKey = (parent: readonly PropertyKey[], key: string): number => {
    const { isMap, isScalar } = loadYaml()
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
    throw invalidConfiguration(
      `Cannot read ${path}: ${describeFileError(cause) ?? String(code)}`,
      cause,
    )
  }
}

/** The position of a JSON syntax error; V8 reports it for most mistakes. */
function offsetOf(error: unknown): number | undefined {
  const offset = /at position (\d+)/.exec((error as Error).message)?.[1]
  return offset === undefined ? undefined : Number(offset)
}

function hasRange(node: unknown): node is { readonly range: readonly [number, number, number] } {
  return Array.isArray((node as { range?: unknown } | undefined)?.range)
}
