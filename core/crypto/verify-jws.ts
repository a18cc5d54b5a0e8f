import type { PublicJwk, SigningAlgorithm } from './jwk.ts'
import type { ParsedJws } from './parse-jws.ts'
import { verifySignature } from './verify-signature.ts'

export interface VerifyJwsOptions {
  readonly jws: ParsedJws
  /** The key that the caller resolved. Keys that the header itself carries are never used. */
  readonly publicKey: PublicJwk
  /** The algorithms that the caller accepts. */
  readonly algorithms: readonly SigningAlgorithm[]
}

/**
 * Says whether the signature is the given key's, under one of the accepted algorithms (RFC 7515,
 * section 5.2). A key that names its own `alg` or a `use` other than sig is held to that. Never
 * throws.
 */
export function verifyJws({ jws, publicKey, algorithms }: VerifyJwsOptions): boolean {
  const algorithm = algorithms.find((name) => name === jws.header.alg)
  if (!algorithm) return false
  if (publicKey.alg !== undefined && publicKey.alg !== algorithm) return false
  if (publicKey.use !== undefined && publicKey.use !== 'sig') return false
  return verifySignature(algorithm, publicKey, Buffer.from(jws.signingInput), jws.signature)
}
