import type { z } from 'zod'

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  null: 'null',
}

const count = (number: number | bigint, noun: string) =>
  `${number} ${noun}${number === 1 ? '' : 's'}`

/** The units of lengths. */
const units: Readonly<Record<string, string>> = { string: 'character', array: 'item' }

/** `a, b or c` */
const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** What is wrong with a value, to follow its name: `must be a string`. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing'
      return `must be ${typeNames[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${alternatives.format(issue.values.map(String))}`
    case 'too_small': {
      const unit = units[issue.origin]
      if (unit === 'character' && issue.minimum === 1) return 'must not be empty'
      if (unit !== undefined) return `must have at least ${count(issue.minimum, unit)}`
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`
    }
    case 'too_big': {
      const unit = units[issue.origin]
      if (unit !== undefined) return `must have at most ${count(issue.maximum, unit)}`
      return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`
    }
    case 'unrecognized_keys':
      return `has unknown members: ${issue.keys.join(', ')}`
    case 'invalid_format':
      return issue.format === 'url'
        ? 'must be an http(s) address'
        : 'does not have the required format'
    default:
      return 'is not valid'
  }
}

/**
 * Options of a parse: plain words instead of zod's texts, which name types and patterns of the
 * code. The texts of a schema are used first.
 */
export const plainIssues = { error: describeIssue }

/** The same, as clauses about the value: `it must be a string`. */
export const plainReasons = { error: (issue: z.core.$ZodRawIssue) => `it ${describeIssue(issue)}` }

/** The first three problems that a parse with {@link plainIssues} found: `pid is missing; …`. */
export function listIssues({ issues }: z.core.$ZodError): string {
  const listed = issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || 'the content'} ${message}`)
  if (issues.length > listed.length) listed.push('…')
  return listed.join('; ')
}
