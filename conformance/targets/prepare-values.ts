import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { signerOf } from '#core/ethereum/account.ts'
import { isJsonObject } from '#core/json/json-object.ts'
import { placeholdersIn } from './adapters/fill-placeholders.ts'
import { splitCommand } from './adapters/programs.ts'
import { nearestName, type TargetProblem } from './target-problem.ts'
import { resolveShape, shapeOfMember, type TargetShape } from './target-shape.ts'

/** Programs whose first argument is a script. */
const interpreters = /^(?:node|deno|bun|tsx|python3?|ruby|perl|php|bash|sh)$/

const quoted = /"(?:\\.|[^"\\])*"|'[^']*'/g

/** Pipes, lists, redirections, substitutions, variables, a home folder, an assignment. */
const shellSyntax =
  /(?<=\s|^)(?:\|\|?|&&?|\d?>{1,2}|<{1,2})(?=\s|$|\S)|;(?=\s|$)|\$\(|`|\$\{?[A-Za-z_]\w*\}?|(?<=\s|^)~(?=\/)|^[A-Za-z_]\w*=/

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * Checks a command line before it runs: an unclosed quote, a missing program, or a missing script
 * of an interpreter. Undefined if there is no problem.
 * @param folder where it runs
 * @param searchPath value of PATH
 */
function findProgramProblem(
  command: string,
  folder: string,
  searchPath: string,
): string | undefined {
  const words = splitCommand(command)
  if (!words) return 'has an unclosed quote'
  const [shell] = shellSyntax.exec(command.replace(quoted, '""')) ?? []
  if (shell !== undefined) {
    return `contains ${shell.trim()}, which only a shell understands: no shell runs it, so put the line into a script`
  }
  const [program = '', ...rest] = words
  if (program === '') return 'does not name a program'
  if (program.includes('{')) return 'must begin with a program, not with a placeholder'
  const candidates = /[/\\]/.test(program)
    ? [resolve(folder, program)]
    : searchPath.split(delimiter).map((place) => join(place || folder, program))
  if (!candidates.some(isProgram)) {
    return candidates.length === 1 && program.includes('/')
      ? `names a program that does not exist or is not executable: ${candidates[0]}`
      : `names the program ${program}, which is not in PATH`
  }
  const [script = ''] = rest
  const isScript = interpreters.test(program) && /\.\w+$/.test(script) && !/^-|[{]/.test(script)
  const path = isAbsolute(script) ? script : resolve(folder, script)
  return isScript && !existsSync(path) ? `names a file that does not exist: ${path}` : undefined
}

export interface PrepareOptions {
  /** The folder of the target file, where its commands run. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** A target's values ready for use, and their problems. */
export interface PreparedValues {
  readonly value: unknown
  readonly problems: readonly TargetProblem[]
  /** Values of secret members and of environment variables, which must never be shown. */
  readonly secrets: readonly string[]
}

/**
 * What a command gets from the kit's own environment: where programs and files are, and no secrets.
 */
const passedOn = [
  'PATH',
  'HOME',
  'USER',
  'TMPDIR',
  'TEMP',
  'TMP',
  'LANG',
  'LC_ALL',
  'TZ',
  'SystemRoot',
]

/**
 * Replaces environment variables, checks that programs and placeholders exist, and makes commands
 * ready to run. It accepts any file, whether it matches the schema or not.
 */
export function prepareValues(
  value: unknown,
  shape: TargetShape,
  options: PrepareOptions,
): PreparedValues {
  const found: Preparation = { ...options, problems: [], secrets: new Set() }
  const root = { path: [], placeholders: undefined, variables: false, template: false }
  const prepared = prepare(found, value, shape, root)
  return { value: prepared, problems: found.problems, secrets: [...found.secrets] }
}

/** What a preparation has found so far. */
interface Preparation extends PrepareOptions {
  readonly problems: TargetProblem[]
  readonly secrets: Set<string>
}

/** The properties of a place, from those of the places around it. */
interface Place {
  readonly path: readonly PropertyKey[]
  readonly placeholders: readonly string[] | undefined
  readonly variables: boolean
  readonly template: boolean
}

function prepare(
  preparation: Preparation,
  value: unknown,
  given: TargetShape | undefined,
  place: Place,
): unknown {
  const shape = (given && resolveShape(given, value)) ?? {}
  const here: Place = {
    path: place.path,
    placeholders: shape.placeholders ?? place.placeholders,
    variables: shape.variables ?? place.variables,
    template: shape.template ?? place.template,
  }
  if (typeof value === 'string') {
    const text = prepareText(preparation, value, shape, here)
    return shape.verb ? readyToRun(preparation, { command: text }) : text
  }
  const within = (name: PropertyKey) => ({ ...here, path: [...here.path, name] })
  if (Array.isArray(value)) {
    return value.map((item, index) => prepare(preparation, item, shape.items, within(index)))
  }
  if (!isJsonObject(value)) return value
  const members = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      prepare(preparation, member, shapeOfMember(shape, name), within(name)),
    ]),
  )
  return shape.verb && 'command' in members ? readyToRun(preparation, members) : members
}

/** A command with its folder and its complete environment. */
function readyToRun(
  { folder, environment }: PrepareOptions,
  verb: Readonly<Record<string, unknown>>,
): object {
  const passed = passedOn.flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]]],
  )
  return {
    ...verb,
    folder,
    environment: { ...Object.fromEntries(passed), ...Object(verb.environment) },
  }
}

function prepareText(
  preparation: Preparation,
  text: string,
  shape: TargetShape,
  { path, placeholders, variables, template }: Place,
): string {
  const { folder, environment, problems, secrets } = preparation
  if (shape.commandLine) {
    const message = findProgramProblem(text, folder, environment.PATH ?? '/usr/bin:/bin')
    if (message) problems.push({ path, message })
  }
  if (placeholders && (shape.commandLine || template)) {
    problems.push(...findUnknownPlaceholders(text, placeholders).map((each) => ({ path, ...each })))
  }
  if (shape.certificates) return readCertificates(preparation, text, path)
  if (!shape.secret) return variables ? fillVariables(preparation, text, path) : text
  const before = problems.length
  const secret = fillVariables(preparation, text, path)
  if (problems.length > before) return secret
  secrets.add(secret)
  if (shape.privateKey && !isPrivateKey(secret)) {
    const advice = 'Use 0x and 64 hex digits, on the curve secp256k1.'
    problems.push({ path, message: 'is not a private key', advice })
  }
  return secret
}

/** Replaces each `$NAME` by the variable of the environment, and `$$` by a dollar sign. */
function fillVariables(
  { environment, problems, secrets }: Preparation,
  text: string,
  path: readonly PropertyKey[],
): string {
  return text.replace(/\$(?:\$|([A-Z_][A-Z0-9_]*))/g, (all, name: string | undefined) => {
    if (name === undefined) return '$'
    const found = environment[name]
    if (found !== undefined && found !== '') {
      secrets.add(found)
      return found
    }
    const message = `reads ${all} from the environment, but it is ${found === '' ? 'empty' : 'not set'}`
    problems.push({ path, message, advice: `Set it: export ${name}=…` })
    return all
  })
}

function findUnknownPlaceholders(
  text: string,
  known: readonly string[],
): Pick<TargetProblem, 'message' | 'advice'>[] {
  const unknown = placeholdersIn(text).filter((name) => !known.includes(name))
  const available =
    known.length === 0
      ? 'No placeholder is available here.'
      : `Available: ${known.map((name) => `{${name}}`).join(', ')}.`
  return unknown.map((name) => {
    const near = nearestName(name, known)
    return {
      message: `has the placeholder {${name}}, which does not exist`,
      advice: near === undefined ? available : `Did you mean {${near}}?`,
    }
  })
}

/** The text of a file of certificates; the path itself if it has none. */
function readCertificates(
  { folder, problems }: Preparation,
  file: string,
  path: readonly PropertyKey[],
): string {
  const certificates = resolve(folder, file)
  try {
    const text = readFileSync(certificates, 'utf8')
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text
    const message = `names a file without a certificate: ${certificates}`
    problems.push({ path, message, advice: 'It must be PEM: -----BEGIN CERTIFICATE-----' })
  } catch {
    problems.push({ path, message: `names a file that cannot be read: ${certificates}` })
  }
  return file
}

function isPrivateKey(key: string): boolean {
  try {
    signerOf(key)
    return true
  } catch {
    return false
  }
}
