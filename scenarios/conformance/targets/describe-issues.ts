import type { z } from 'zod'
import { nearestName } from './nearest-name.ts'
import type { TargetProblem } from './target-problem.ts'
import {
  alternativeFor,
  alternativesOf,
  isMapping,
  resolveShape,
  shapeAt,
  type TargetShape,
  typeOf,
  valueAt,
} from './target-shape.ts'

type Issue = z.core.$ZodIssue

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
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

/** What a schema finds wrong with a value of a target file, in words of what to write instead. */
export function describeIssues(
  issues: readonly Issue[],
  value: unknown,
  shape: TargetShape,
): TargetProblem[] {
  return issues.flatMap((issue) => describe(issue, value, shape))
}

function describe(issue: Issue, value: unknown, shape: TargetShape): TargetProblem[] {
  const { path } = issue
  const found = valueAt(value, path)
  const expected = shapeAt(shape, value, path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => unknownMember([...path, name], found, expected))
  }
  if (found === undefined && path.length > 0) return [missingMember(path, expected)]
  if (issue.code === 'invalid_union') return describeUnion(issue, value, shape)
  if (issue.code === 'invalid_type') return [wrongType(path, found, issue.expected, expected)]
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String)
    const near = typeof found === 'string' ? nearestName(found, values) : undefined
    const advice = near === undefined ? {} : { advice: `Did you mean ${near}?` }
    return [{ path, message: `must be ${values.join(' or ')}`, ...advice }]
  }
  if (issue.code === 'invalid_key') {
    return [{ path, isName: true, message: 'is no name that may stand here' }]
  }
  return [{ path, message: wordsFor(issue), ...exampleOf(expected) }]
}

function unknownMember(
  path: readonly PropertyKey[],
  parent: unknown,
  shape: TargetShape | undefined,
): TargetProblem {
  const names = Object.keys((shape && resolveShape(shape, parent))?.properties ?? {})
  const name = String(path.at(-1))
  const near = nearestName(
    name,
    names.filter((known) => !isMapping(parent) || !(known in parent)),
  )
  const advice = near === undefined ? `Known here: ${names.join(', ')}.` : `Did you mean ${near}?`
  return { path, isName: true, message: 'is unknown', advice }
}

function missingMember(
  path: readonly PropertyKey[],
  expected: TargetShape | undefined,
): TargetProblem {
  const name = String(path.at(-1))
  const { description, example = exampleFor(expected) } = expected ?? {}
  const told = description === undefined ? '' : ` (${description})`
  const advice = `Add it, for example ${name}: ${example}${told}`
  return { path, message: 'is missing', advice }
}

function exampleFor(shape: TargetShape | undefined): string {
  if (!shape) return '…'
  if (shape.const !== undefined) return String(shape.const)
  if (shape.enum) return String(shape.enum[0])
  const [first] = alternativesOf(shape)
  if (first && first !== shape) return exampleFor(first)
  const required = shape.required?.map((name) => {
    const member = shape.properties?.[name]
    return `${name}: ${member?.example ?? exampleFor(member)}`
  })
  return required ? `{ ${required.join(', ')} }` : '…'
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
  const message = `must be ${typeName(wanted)}, and is ${typeName(typeOf(found))}`
  if (wanted === 'string' && ['number', 'boolean'].includes(typeof found)) {
    return { path, message, advice: `Put it into quotes: "${String(found)}"` }
  }
  return { path, message, ...exampleOf(shape) }
}

function describeUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  value: unknown,
  shape: TargetShape,
): TargetProblem[] {
  const { path, errors } = issue
  const found = valueAt(value, path)
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

function describeAlternative({ type, required, description }: TargetShape): string[] {
  if (type === 'object' && required) return [`a mapping with ${required.join(' and ')}`]
  if (type !== undefined) return [typeName(type)]
  return description === undefined ? [] : [description]
}

function wordsFor(issue: Issue): string {
  if (issue.code === 'custom') return issue.message
  if (issue.code === 'too_small') {
    if (issue.origin === 'string') return 'must not be empty'
    if (issue.origin === 'array') return `must have at least ${issue.minimum} of them`
    return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`
  }
  if (issue.code === 'too_big') {
    if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`
    return `must be at most ${issue.maximum}`
  }
  if (issue.code === 'invalid_format' && issue.format === 'url') return 'must be an http(s) address'
  // What a schema says itself; zod's own words name a pattern.
  return issue.message.startsWith('Invalid')
    ? 'does not have the form that it must have'
    : issue.message
}
