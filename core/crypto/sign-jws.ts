import { encodeBase64url } from './base64url.ts'
import { createSignature } from './create-signature.ts'
import type { PrivateJwk, SigningAlgorithm } from './jwk.ts'

export interface JwsHeader {
  readonly alg: SigningAlgorithm
  readonly typ?: string
  readonly kid?: string
  readonly [name: string]: unknown
}

export interface SignJwsOptions {
  readonly header: JwsHeader
  readonly payload: object
  readonly privateKey: PrivateJwk
}

/**
 * Signs a JSON payload as a JWS in compact serialization (RFC 7515, section 3.1). Throws a
 * TypeError where `alg` does not fit the key.
 */
export function signJws({ header, payload, privateKey }: SignJwsOptions): string {
  const signingInput = `${encodeBase64url(JSON.stringify(header))}.${encodeBase64url(JSON.stringify(payload))}`
  const signature = createSignature(header.alg, privateKey, Buffer.from(signingInput))
  return `${signingInput}.${encodeBase64url(signature)}`
}
