import { parseJson } from '#core/json/read-json.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'
import { broken, describeBrokenRules, type Finding, held } from '../../../kit/check.ts'

/** Whether a part of a message is as documented, and the problem if it is not. */
export type Statement = readonly [holds: boolean, problem: string]

/** Evaluates statements about a message and reports every problem. */
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

/** Reports every broken rule. `what` names the message. */
export function findBrokenRules(
  what: string,
  failures: readonly VerificationFailure[],
  verdictSource: string,
): Finding {
  if (failures.length === 0) return held(`${what} passes every rule.`, { verdictSource })
  const reason = `${what} breaks ${describeBrokenRules(failures)}.`
  return broken(reason, { verdictSource, failures })
}

/** Matches JWTs anywhere: in a form, in JSON, in a presentation. */
const jwt = /(?<![\w-])[\w-]+\.[\w-]+\.[\w-]*/g

/**
 * Finds private and symmetric JWKs in texts, including JWTs and forms. Returns the type and curve
 * of each, not its value.
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
    const value = parseJson(part)
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
