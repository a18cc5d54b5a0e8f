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
