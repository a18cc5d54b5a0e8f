import { createHash } from 'node:crypto'
import type { PublicJwk, SigningAlgorithm } from './jwk.ts'
import type { ParsedJws } from './parse-jws.ts'
import { verifySignature } from './verify-signature.ts'

export interface VerifyJwsOptions {
  readonly jws: ParsedJws
  /** The key that the caller resolved. Keys that the header itself carries are never used. */
  readonly publicKey: PublicJwk
  /** The algorithms that the caller accepts. */
  readonly algorithms: readonly SigningAlgorithm[]
  /**
   * True for what many messages rest on, such as accreditations and status lists: a signature that
   * verified is not computed again. Default: false.
   */
  readonly remember?: boolean
}

const mostRemembered = 1000
const remembered = new Set<string>()

/**
 * Says whether the signature is the given key's, under one of the accepted algorithms (RFC 7515,
 * section 5.2). A key that names its own `alg` or a `use` other than sig is held to that. Never
 * throws.
 */
export function verifyJws(options: VerifyJwsOptions): boolean {
  const { jws, publicKey, algorithms, remember = false } = options
  const algorithm = algorithms.find((name) => name === jws.header.alg)
  if (!algorithm) return false
  if (publicKey.alg !== undefined && publicKey.alg !== algorithm) return false
  if (publicKey.use !== undefined && publicKey.use !== 'sig') return false
  const verify = () =>
    verifySignature(algorithm, publicKey, Buffer.from(jws.signingInput), jws.signature)
  return remember ? verifyOnce(jws, publicKey, verify) : verify()
}

/** What a signature says of a text and a key never changes, so that a good one stays good. */
function verifyOnce(jws: ParsedJws, publicKey: PublicJwk, verify: () => boolean): boolean {
  const { kty, crv, x, y, n, e } = publicKey
  const name = createHash('sha256')
    .update(JSON.stringify([kty, crv, x, y, n, e, jws.signingInput]))
    .update(jws.signature)
    .digest('base64url')
  if (remembered.has(name)) return true
  if (!verify()) return false
  const [oldest] = remembered
  if (remembered.size >= mostRemembered && oldest !== undefined) remembered.delete(oldest)
  remembered.add(name)
  return true
}
