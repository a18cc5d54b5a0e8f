import { resolveHolderKey } from '#core/crypto/holder-did.ts'
import type { ParsedJws } from '#core/crypto/parse-jws.ts'
import type { VerificationFailure } from '#core/errors/verification-failure.ts'
import { type CheckedRule, evaluateRules } from '#core/verification/evaluate-rules.ts'
import { vpTokenRules } from './vp-token-rules.ts'

export interface VerifyVpTokenOptions {
  /** The presentation, taken apart. */
  readonly jws: ParsedJws
  /** The verifier's client_id; undefined where it is not known, which leaves its rule unchecked. */
  readonly audience: string | undefined
  /** The nonce of the request that it has to answer; undefined likewise. */
  readonly nonce: string | undefined
  /** Unix seconds. */
  readonly now: number
}

export interface VpTokenResult {
  readonly ok: boolean
  readonly failures: readonly VerificationFailure[]
  readonly checked: readonly CheckedRule[]
  /** Whose key is named by `kid`; that it signed is the rule `presentation.signature`. */
  readonly holderDid: string | undefined
  /** The credentials inside, not verified; what is no text is left out. */
  readonly credentials: readonly string[]
}

/**
 * Verifies a presentation by every rule, whatever the others find. The credentials inside are for
 * `verifyLearCredential`, which also compares their subject with `holderDid`. jwk, jku and x5u
 * headers are ignored.
 *
 * @see Document 1, Presentation token
 * @assumption A-28 A-29
 */
export async function verifyVpToken(options: VerifyVpTokenOptions): Promise<VpTokenResult> {
  const { header, payload } = options.jws
  const vp = asMembers(payload.vp)
  const holder = typeof header.kid === 'string' ? resolveHolderKey(header.kid) : undefined
  const { failures, checked } = evaluateRules(vpTokenRules, { ...options, vp, holder })
  const held = vp.verifiableCredential
  return {
    ok: failures.length === 0,
    failures,
    checked,
    holderDid: holder?.did,
    credentials: Array.isArray(held) ? held.filter((item) => typeof item === 'string') : [],
  }
}

function asMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
