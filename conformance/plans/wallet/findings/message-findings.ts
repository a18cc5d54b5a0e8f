import type { VerificationFailure } from '#core/verification/rules.ts'
import { broken, type Finding, held } from '../../../kit/check.ts'

/** Whether a part of a message is as documented, and what is wrong where it is not. */
export type Statement = readonly [holds: boolean, problem: string]

/** What statements about a message say: everything that is wrong with it is told. */
export function findProblems(
  what: string,
  statements: readonly Statement[],
  verdictSource: string,
): Finding {
  const problems = statements.flatMap(([holds, problem]) => (holds ? [] : [problem]))
  return problems.length === 0
    ? held(`${what} is as documented.`, { verdictSource })
    : broken(`${what} is not as documented: ${problems.join('; ')}.`, {
        verdictSource,
        actual: problems,
      })
}

/** What rules that were evaluated say: every broken one is told. `what` is what was looked at. */
export function findBrokenRules(
  what: string,
  failures: readonly VerificationFailure[],
  verdictSource: string,
): Finding {
  if (failures.length === 0) return held(`${what} keeps every rule.`, { verdictSource })
  const told = failures.map(({ rule, path, reason }) => {
    const where = path === '' ? '' : ` at ${path}`
    return `${rule}${where}: ${reason}`
  })
  return broken(`${what} breaks ${told.join('; ')}.`, { verdictSource, failures })
}

/** JWTs wherever they stand in a text: a form, a JSON, a credential inside a presentation. */
const jwt = /(?<![\w-])[\w-]+\.[\w-]+\.[\w-]*/g

/**
 * The private and symmetric JWKs in texts, also inside JWTs and forms; each one told by its type and
 * curve, not by its value.
 */
export function findSecretKeys(texts: readonly string[]): string[] {
  const parts = texts.flatMap((text) => [text, ...new URLSearchParams(text).values()])
  return [...new Set(parts.flatMap((part) => keysInText(part, 0)))]
}

const deepest = 4

function keysInText(text: string, depth: number): string[] {
  if (depth > deepest) return []
  const parts = [text, ...(text.match(jwt) ?? []).flatMap((token) => token.split('.').map(decode))]
  return parts.flatMap((part) => {
    const value = parse(part)
    return value === undefined ? [] : keysIn(value, depth)
  })
}

function keysIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return keysInText(value, depth + 1)
  if (typeof value !== 'object' || value === null) return []
  const { kty, crv, d, k } = value as Record<string, unknown>
  const isSecret = kty !== undefined && (d !== undefined || k !== undefined)
  const own = isSecret ? [`a JWK of ${[kty, crv].filter(Boolean).join(' ')}`] : []
  return [...own, ...Object.values(value).flatMap((member) => keysIn(member, depth))]
}

const decode = (part: string) => Buffer.from(part, 'base64url').toString('utf8')

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
