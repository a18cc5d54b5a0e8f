import type { z } from 'zod'
import { evaluateRules, type Rule, type RuleResults, type RuleText } from './rules.ts'

type Issues = readonly z.core.$ZodIssue[]

/**
 * Maps the issues of a message's schema to named rules: each issue breaks the rule with the longest
 * path above it. One of the rules must have the empty path: it also covers the parts without a rule.
 * The schema decides whether a message is valid; the rules say to people why it is not.
 * @param parsed with the texts of `plainReasons`
 */
export function evaluateShape(
  rules: readonly RuleText[],
  parsed: z.ZodSafeParseResult<unknown>,
): RuleResults {
  return evaluateRules(rules.map(toRule(rules)), parsed.error?.issues ?? [])
}

const toRule =
  (rules: readonly RuleText[]) =>
  (text: RuleText): Rule<Issues> => ({
    ...text,
    evaluate: (issues, { fail }) => {
      for (const issue of issues) {
        const where = issue.path.map(String).join('.')
        if (closest(rules, where) === text.path) fail(reasonOf(issue), where)
      }
    },
  })

function closest(rules: readonly RuleText[], where: string): string {
  const above = rules
    .map(({ path }) => path)
    .filter((path) => path === '' || where === path || where.startsWith(`${path}.`))
  return above.reduce((longest, path) => (path.length > longest.length ? path : longest), '')
}

function reasonOf({ message, path }: z.core.$ZodIssue): string {
  // The parser of JSON returns undefined for text that is not valid.
  return path.length === 0 && message === 'it is missing' ? `${message} or not valid JSON` : message
}
