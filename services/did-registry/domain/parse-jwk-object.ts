/** A JWK as it was registered: an object with a key type; nothing else is known of it. */
export interface JwkObject {
  readonly kty: string
  readonly [member: string]: unknown
}

export type JwkObjectResult =
  | { readonly ok: true; readonly jwk: JwkObject }
  | { readonly ok: false; readonly problem: string }

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** Reads a serialized JWK as far as any public key has to be one (RFC 7517, sections 4 and 9.2). */
export function parseJwkObject(bytes: Uint8Array): JwkObjectResult {
  const value = parseJson(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, problem: 'holds no JSON object' }
  }
  if (privateMembers.some((name) => Object.hasOwn(value, name))) {
    return { ok: false, problem: 'holds a private key' }
  }
  if (typeof (value as JwkObject).kty !== 'string') return { ok: false, problem: 'has no kty' }
  return { ok: true, jwk: value as JwkObject }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
