import type { z } from 'zod'
import { isJsonObject } from '#core/json/json-object.ts'
import { formatPath, nearestName, type TargetProblem } from './target-problem.ts'
import {
  alternativeFor,
  alternativesOf,
  resolveShape,
  shapeAt,
  type TargetShape,
  typeOf,
  valueAt,
} from './target-shape.ts'

type Issue = z.core.$ZodIssue

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping, its members indented below it',
  record: 'a mapping, its members indented below it',
  array: 'a list',
  null: 'nothing',
}

const typeName = (type: string) => typeNames[type] ?? type

/** Describes each problem that a schema finds in a target file, with what to write instead. */
export function describeIssues(
  issues: readonly Issue[],
  value: unknown,
  shape: TargetShape,
): TargetProblem[] {
  const problems = issues.flatMap((issue) => describe(issue, value, shape))
  // A misspelt name is reported once, and not as a missing member as well.
  const meant = new Set(problems.flatMap(({ meantPath }) => meantPath ?? []))
  return problems.filter(({ path, isName }) => isName || !meant.has(formatPath(path)))
}

/** A problem, with the path of the name that an unknown name probably stands for. */
interface DescribedProblem extends TargetProblem {
  readonly meantPath?: string
}

function describe(issue: Issue, value: unknown, shape: TargetShape): DescribedProblem[] {
  const { path } = issue
  const found = valueAt(value, path)
  const expected = shapeAt(shape, value, path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => unknownMember([...path, name], found, expected))
  }
  if (found === undefined && path.length > 0) return [missingMember(path, expected)]
  if (issue.code === 'invalid_union') return describeUnion(issue, value, shape)
  if (issue.code === 'invalid_type') return [wrongType(path, found, issue.expected, expected)]
  if (issue.code === 'invalid_value') return [wrongValue(path, found, issue.values.map(String))]
  if (issue.code === 'invalid_key') {
    return [{ path, isName: true, message: 'is not a valid name here' }]
  }
  return [{ path, message: issue.message, ...exampleOf(expected) }]
}

function wrongValue(
  path: readonly PropertyKey[],
  found: unknown,
  values: readonly string[],
): TargetProblem {
  const near = typeof found === 'string' ? nearestName(found, values) : undefined
  const advice = near === undefined ? {} : { advice: `Did you mean ${near}?` }
  return { path, message: `must be ${values.join(' or ')}`, ...advice }
}

function unknownMember(
  path: readonly PropertyKey[],
  parent: unknown,
  shape: TargetShape | undefined,
): DescribedProblem {
  const names = Object.keys((shape && resolveShape(shape, parent))?.properties ?? {})
  const name = String(path.at(-1))
  const near = nearestName(
    name,
    names.filter((known) => !isJsonObject(parent) || !(known in parent)),
  )
  const problem = { path, isName: true, message: 'is unknown' }
  if (near === undefined) return { ...problem, advice: `Available: ${names.join(', ')}.` }
  const meantPath = formatPath([...path.slice(0, -1), near])
  return { ...problem, advice: `Did you mean ${near}?`, meantPath }
}

function missingMember(
  path: readonly PropertyKey[],
  expected: TargetShape | undefined,
): TargetProblem {
  const name = String(path.at(-1))
  const example = exampleFor(expected)
  const hint = expected?.description === undefined ? '' : ` (${expected.description})`
  const advice =
    example === undefined ? `Add it${hint}` : `Add it, for example ${name}: ${example}${hint}`
  return { path, message: 'is missing', advice }
}

/** A valid value, if it fits in one line. */
function exampleFor(shape: TargetShape | undefined): string | undefined {
  if (!shape) return undefined
  if (shape.example !== undefined) return shape.example
  if (shape.const !== undefined) return String(shape.const)
  if (shape.enum) return String(shape.enum[0])
  if (shape.commandLine) return 'node my-program.mjs'
  const [first] = alternativesOf(shape)
  if (first !== shape) return exampleFor(first)
  const members = shape.required?.map((name) => [name, exampleFor(shape.properties?.[name])])
  if (!members || members.some(([, example]) => example === undefined)) return undefined
  return `{ ${members.map(([name, example]) => `${name}: ${example}`).join(', ')} }`
}

const exampleOf = (shape: TargetShape | undefined) =>
  shape?.example === undefined ? {} : { advice: `For example ${shape.example}` }

function wrongType(
  path: readonly PropertyKey[],
  found: unknown,
  expected: string,
  shape: TargetShape | undefined,
): TargetProblem {
  const wanted = shape?.type === 'integer' ? 'integer' : expected
  const message = `must be ${typeName(wanted)}, but is ${typeName(typeOf(found))}`
  if (wanted === 'string' && ['number', 'boolean'].includes(typeof found)) {
    const advice = shape?.secret ? 'Put it into quotes.' : `Put it into quotes: "${String(found)}"`
    return { path, message, advice }
  }
  return { path, message, ...exampleOf(shape) }
}

function describeUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  value: unknown,
  shape: TargetShape,
): DescribedProblem[] {
  const { path, errors } = issue
  const found = valueAt(value, path)
  if (issue.errors.length === 0) return [wrongValue(path, found, kindsAt(shape, value, path))]
  const expected = shapeAt(shape, value, path)
  const index = expected && alternativeFor(expected, found)
  const chosen = index === undefined ? undefined : errors[index]
  if (chosen) {
    return chosen.flatMap((inner) =>
      describe({ ...inner, path: [...path, ...inner.path] } as Issue, value, shape),
    )
  }
  const ways = (expected ? alternativesOf(expected) : []).flatMap(describeAlternative)
  const message = `must be ${ways.length === 0 ? 'something else' : ways.join(', or ')}`
  return [{ path, message, ...exampleOf(expected) }]
}

/** The possible values of a member that distinguishes the alternatives of a union. */
function kindsAt(shape: TargetShape, value: unknown, path: readonly PropertyKey[]): string[] {
  const around = shapeAt(shape, value, path.slice(0, -1))
  const name = String(path.at(-1))
  return (around ? alternativesOf(around) : []).map(({ properties }) =>
    String(properties?.[name]?.const),
  )
}

function describeAlternative({ type, required, description, commandLine }: TargetShape): string[] {
  if (commandLine) return ['a command line']
  if (type === 'object' && required) return [`a mapping with ${required.join(' and ')}`]
  if (type !== undefined) return [typeName(type)]
  return description === undefined ? [] : [description]
}
