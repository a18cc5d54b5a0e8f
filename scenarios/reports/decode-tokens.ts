import { decodeBase64url } from '#core/crypto/base64url.ts'

/** A token found in a message: header and payload; its signature is not kept. */
export interface DecodedToken {
  /** Where it stood, for example `credential` or `vp.verifiableCredential[0]`. */
  readonly path: string
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  /** Tokens within its payload. */
  readonly tokens: readonly DecodedToken[]
}

const tokenPattern = /\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_…-]*)?/g
const mostLevels = 6

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

const below = (path: string, name: string | number) =>
  typeof name === 'number' ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`

/** Finds and decodes each JWT in a message, whatever member it stands in, and those within it. */
export function decodeTokens(value: unknown, path = '', level = 0): DecodedToken[] {
  if (level > mostLevels) return []
  if (typeof value === 'string') {
    return [...value.matchAll(tokenPattern)].flatMap(([token]) => {
      const [encodedHeader = '', encodedPayload = ''] = token.split('.')
      const header = decodeObject(encodedHeader)
      const payload = decodeObject(encodedPayload)
      if (header === undefined || payload === undefined) return []
      return [{ path, header, payload, tokens: decodeTokens(payload, '', level + 1) }]
    })
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => decodeTokens(item, below(path, index), level))
  }
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, member]) =>
    decodeTokens(member, below(path, name), level),
  )
}

/** A message with each token cut to its first characters, since it is shown decoded beside. */
export function shortenTokens(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(tokenPattern, (token) => `${token.slice(0, 12)}…`)
  }
  if (Array.isArray(value)) return value.map(shortenTokens)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shortenTokens(member)]),
  )
}
