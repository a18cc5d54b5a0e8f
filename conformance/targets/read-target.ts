import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import { isJsonObject } from '#core/json/json-object.ts'
import { plainIssues } from '#core/json/plain-issues.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { type PlanName, planNames } from '../kit/check.ts'
import { describeIssues } from './describe-issues.ts'
import { invalidTarget } from './errors.ts'
import { type PlacedProblem, parseTargetFile, type TargetFile } from './parse-target-file.ts'
import { type PrepareOptions, prepareValues } from './prepare-values.ts'
import type { TargetProblem } from './target-problem.ts'
import { shapeOf, targetSchemaOf } from './target-shape.ts'

const longestLine = 100

/** Control sequences that a terminal would obey are shown as a space. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is for control characters.
const controls = /[\u0000-\u001f\u007f-\u009f]/g

/** Private keys and tokens, also in a member that no schema knows: in a file with an error. */
const secretValue = /-----BEGIN.*|eyJ[\w-]+\.[\w-]+\.[\w-]*|\b(?:0x)?[0-9a-f]{64}\b/gi
const secretMember =
  /^(\s*(?:-\s+)?["']?[\w-]*(?:secret|key|token|password|authorization|cookie)["']?\s*:\s*)(?!.*\$[A-Z_])[^{[\s].*$/i
const secretWithin =
  /([{,]\s*["']?[\w-]*(?:secret|key|token|password|authorization|cookie)["']?\s*:\s*)(?![^,}]*(?:\$[A-Z_]|•))[^\s,{}[][^,}]*/gi
/** Public, although it looks like a key. */
const publicMember = /^\s*attributeId:/

const maskLine = (line: string): string =>
  publicMember.test(line)
    ? line
    : line.replace(secretMember, '$1•••').replace(secretWithin, '$1•••').replace(secretValue, '•••')

/**
 * A problem with all that is needed to fix it: FILE:LINE:COLUMN, what is wrong, the line with a
 * mark below it, and what to write instead.
 */
function formatProblem(
  path: string,
  lines: readonly string[],
  { line, column, message, advice }: PlacedProblem,
): string {
  const text = maskLine(lines[line - 1] ?? '')
    .replace(controls, ' ')
    .trimEnd()
  // A long line is shown from a little before the mark.
  const from = column > longestLine - 20 ? column - 20 : 0
  const shown = text.slice(from, from + longestLine)
  const number = String(line)
  const margin = ' '.repeat(number.length)
  return [
    `${path}:${line}:${column}: ${message}`,
    `  ${number} | ${shown}`,
    `  ${margin} | ${' '.repeat(Math.max(column - 1 - from, 0))}^`,
    ...(advice === undefined ? [] : [`  ${margin} = ${advice}`]),
  ].join('\n  ')
}

/** A target in the form that its plan expects. */
export interface ReadTarget<Target = unknown> {
  readonly target: Target
  /** Values that must never be shown; for the exchange log's `hide`. */
  readonly secrets: readonly string[]
}

const longestFile = 256 * 1024
const shortestSecret = 4

/** A target as read, with every problem of its text. */
export interface ParsedTarget {
  /** Undefined if there are problems. */
  readonly target: unknown
  readonly secrets: readonly string[]
  /** In the order of the lines. */
  readonly problems: readonly PlacedProblem[]
}

/**
 * Validates the text of a target file without throwing, for readers that show the problems
 * elsewhere than on a terminal.
 * @param options the folder in which commands run, and the variables that replace `$NAME`; without
 * them only the schema is checked
 */
export async function parseTarget(
  text: string,
  plan: PlanName,
  options?: PrepareOptions,
): Promise<ParsedTarget> {
  const file = parseTargetFile(text)
  const refuse = (problems: readonly PlacedProblem[], secrets: readonly string[] = []) => ({
    target: undefined,
    problems,
    secrets,
  })
  if (file.problems.length > 0) return refuse(file.problems)
  const problem = findPlanProblem(file.value, plan)
  if (problem) return refuse([file.place(problem)])
  const schema = await targetSchemaOf(plan)
  const shape = shapeOf(schema)
  const parsed = schema.safeParse(file.value, plainIssues)
  const found = options && prepareValues(file.value, shape, options)
  const problems = [
    ...(parsed.success ? [] : describeIssues(parsed.error.issues, file.value, shape)),
    ...(found?.problems ?? []),
  ]
  if (problems.length > 0 || !parsed.success) {
    return refuse(placeAll(file, problems), found?.secrets)
  }
  if (options === undefined) return { target: parsed.data, secrets: [], problems: [] }
  const { value, secrets } = prepareValues(parsed.data, shape, options)
  return { target: value, secrets, problems: [] }
}

/**
 * Reads and validates a target file of a plan. Secret members and headers may contain `$NAME`,
 * which is read from `environment`. Commands run in the folder of the file.
 * @throws TestbedError `invalid_target` with every problem as a hint: line, column, what is wrong,
 * and what to write instead
 */
export async function readTarget<Target = unknown>(
  path: string,
  plan: PlanName,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReadTarget<Target>> {
  const text = await readText(path, plan)
  const options = { folder: dirname(resolve(path)), environment }
  const { target, secrets, problems } = await parseTarget(text, plan, options)
  if (problems.length > 0) throw targetWithProblems(path, text, problems, secrets)
  return { target: target as Target, secrets }
}

async function readText(path: string, plan: PlanName): Promise<string> {
  const hints = [`${programCommand} conformance ${plan} --example prints a file to fill in.`]
  try {
    const bytes = await readFile(path)
    if (bytes.length <= longestFile) return bytes.toString('utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    const { code } = cause as { code?: unknown }
    const message =
      code === 'ENOENT'
        ? `The target file ${path} does not exist.`
        : `${path} cannot be read (${code}).`
    throw invalidTarget(message, hints, cause)
  }
  const message = `${path} is too long for a target file (at most ${longestFile / 1024} KiB).`
  throw invalidTarget(message, hints)
}

/** A problem that makes all others irrelevant: not a mapping, or a target of a different plan. */
function findPlanProblem(value: unknown, plan: PlanName): TargetProblem | undefined {
  if (!isJsonObject(value)) {
    const advice = `Begin with plan: ${plan}`
    return {
      path: [],
      message: 'a target file must be a mapping: members and their values',
      advice,
    }
  }
  const other = planNames.find((name) => name === value.plan)
  if (other === undefined || other === plan) return undefined
  const advice = `Run the ${other} plan with this file: ${programCommand} conformance ${other} --target FILE`
  return { path: ['plan'], message: `is ${other}, not ${plan}`, advice }
}

function placeAll(file: TargetFile, problems: readonly TargetProblem[]): PlacedProblem[] {
  return problems
    .map((problem) => file.place(problem))
    .sort((one, other) => one.line - other.line || one.column - other.column)
}

function targetWithProblems(
  path: string,
  text: string,
  problems: readonly PlacedProblem[],
  secrets: readonly string[] = [],
): TestbedError {
  // Values from the environment are not in the file; short ones may be there by chance.
  const shown = secrets
    .filter((secret) => secret.length >= shortestSecret)
    .reduce((masked, secret) => masked.replaceAll(secret, '•••'), text)
  const lines = shown.split(/\r\n|[\r\n]/)
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  const hints = problems.map((problem) => formatProblem(path, lines, problem))
  return invalidTarget(`${path} has ${count}.`, hints)
}

/** A commented target file of a plan to fill in, as YAML. */
export const readExample = (plan: PlanName): Promise<string> =>
  readFile(join(import.meta.dirname, 'examples', `${plan}.yaml`), 'utf8')
