import { decodeBase64url } from '#core/crypto/base64url.ts'

/** Header and payload of a JWT; its signature is not kept. */
export interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
}

// From the start of a run of its characters alone: from anywhere it would take quadratic time.
const tokenPattern = /(?<![\w-])eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_…-]*)?/g

function decodeObject(encoded: string): Record<string, unknown> | undefined {
  const bytes = decodeBase64url(encoded)
  if (bytes === undefined) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Reads a JWT's header and payload; undefined for what only looks like one. */
export function decodeToken(token: string): DecodedToken | undefined {
  const [encodedHeader = '', encodedPayload = ''] = token.split('.')
  const header = decodeObject(encodedHeader)
  const payload = decodeObject(encodedPayload)
  return header && payload && { header, payload }
}

/** A text with each JWT in it replaced; where `replace` gives nothing it stays. */
export function replaceTokens(
  text: string,
  replace: (token: string) => string | undefined,
): string {
  // Most texts hold none, and a search is far cheaper than the pattern.
  if (!text.includes('eyJ')) return text
  return text.replace(tokenPattern, (token) => replace(token) ?? token)
}
