import { findJsonProblem } from '#core/json/find-json-problem.ts'
import { decodeBase64url } from './base64url.ts'

export interface ParsedJws {
  readonly header: Readonly<Record<string, unknown>> & { readonly alg: string }
  readonly payload: Readonly<Record<string, unknown>>
  /** The ASCII text that was signed. */
  readonly signingInput: string
  readonly signature: Uint8Array
}

export type ParseJwsResult =
  | ({ readonly ok: true } & ParsedJws)
  | { readonly ok: false; readonly reason: string }

/**
 * Takes a JWS in compact serialization apart; nothing is verified here. Header and payload must be
 * JSON objects in strict base64url and UTF-8, in which no name stands twice (RFC 7515, section 4; RFC
 * 7519, section 4). `alg: none` parses, so that a verifier can name it;
 * a `crit` header is refused, as no extension is supported (RFC 7515, sections 4.1.11 and 5.2).
 */
export function parseJws(compact: string): ParseJwsResult {
  const parts = compact.split('.', 4)
  const [encodedHeader, encodedPayload, encodedSignature] = parts
  if (
    parts.length !== 3 ||
    encodedHeader === undefined ||
    encodedPayload === undefined ||
    encodedSignature === undefined
  ) {
    return { ok: false, reason: 'a JWS in compact form has three parts' }
  }
  const header = decodeJsonObject(encodedHeader)
  if (!header) return { ok: false, reason: 'the header is no sound JSON object in base64url' }
  if (typeof header.alg !== 'string') return { ok: false, reason: 'the header lacks alg' }
  if (header.crit !== undefined) {
    return { ok: false, reason: 'the header names critical extensions, none is supported' }
  }
  const payload = decodeJsonObject(encodedPayload)
  if (!payload) return { ok: false, reason: 'the payload is no sound JSON object in base64url' }
  const signature = decodeBase64url(encodedSignature)
  if (!signature) return { ok: false, reason: 'the signature is not base64url' }
  return {
    ok: true,
    header: header as ParsedJws['header'],
    payload,
    signingInput: `${encodedHeader}.${encodedPayload}`,
    signature,
  }
}

function decodeJsonObject(encoded: string): Record<string, unknown> | undefined {
  const bytes = decodeBase64url(encoded)
  if (!bytes || findJsonProblem(bytes) !== undefined) return undefined
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
