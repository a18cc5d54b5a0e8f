import type { z } from 'zod'
import { evaluateRules, type Rule, type RuleResults } from './evaluate-rules.ts'

/** A named rule about one part of a message, where the message's schema is what decides. */
export interface ShapeRule {
  readonly rule: string
  readonly statement: string
  /** The part, for example `grants`; empty for the whole and for what no other rule is about. */
  readonly path: string
}

type Issues = readonly z.core.$ZodIssue[]

/**
 * Tells by name which parts of a message its schema finds fault with: each issue breaks the rule
 * with the longest path above it. One of the rules has to have the empty path.
 */
export function evaluateShape(
  rules: readonly ShapeRule[],
  parsed: z.ZodSafeParseResult<unknown>,
): RuleResults {
  return evaluateRules(rules.map(toRule(rules)), parsed.error?.issues ?? [])
}

const toRule =
  (rules: readonly ShapeRule[]) =>
  ({ rule, statement, path }: ShapeRule): Rule<Issues> => ({
    rule,
    statement,
    path,
    evaluate: (issues, { fail }) => {
      for (const issue of issues) {
        const where = issue.path.map(String).join('.')
        if (closest(rules, where) === path) fail(reasonOf(issue), where)
      }
    },
  })

function closest(rules: readonly ShapeRule[], where: string): string {
  const above = rules
    .map(({ path }) => path)
    .filter((path) => path === '' || where === path || where.startsWith(`${path}.`))
  return above.reduce((longest, path) => (path.length > longest.length ? path : longest), '')
}

function reasonOf({ message, path }: z.core.$ZodIssue): string {
  return path.length > 0 && message.endsWith('received undefined') ? 'it is missing' : message
}
