import { parseJws } from '#core/crypto/jws.ts'
import type { DidDocument } from '#core/did/did-document.ts'
import { parseTermsOfUse } from '#core/trust/tir-attribute.ts'
import { type TrustStep, walkTrustChain } from '#core/trust/trust-chain.ts'
import { isTime, parseIsoTime, toIsoTime } from '#core/verification/data-model.ts'
import type { Lookups, ResolveDidDocument } from '#core/verification/lookup.ts'
import {
  breakRule,
  type CheckedRule,
  evaluateRules,
  type Lookup,
  type Rule,
  type RuleText,
  type VerificationFailure,
} from '#core/verification/rules.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'
import { holderRule, periodRules, schemaRules } from './content-rules.ts'
import {
  type CredentialContext,
  type CredentialPolicy,
  prepareCredential,
} from './credential-context.ts'
import { statusRule } from './credential-status.ts'
import { accreditationRule, issuerRules } from './issuer-rules.ts'

export interface VerifyLearCredentialOptions extends Lookups {
  /** The credential, a JWT. */
  readonly credential: string
  readonly policy: CredentialPolicy
  /** Who presents or receives it; omitted if a credential is only explained. */
  readonly holderDid?: string
  /** Unix seconds. */
  readonly now: number
  readonly cache?: VerificationCache | undefined
}

export interface LearCredentialResult {
  readonly ok: boolean
  readonly failures: readonly VerificationFailure[]
  readonly checked: readonly CheckedRule[]
  /**
   * The presented `vc` claim, with `exp` as its validUntil if that is earlier or missing; undefined
   * if the credential is not a JWT with a `vc` claim.
   */
  readonly vc?: Readonly<Record<string, unknown>>
  /** The steps up to the root that were checked. */
  readonly trustChain: readonly TrustStep[]
}

/** All rules of a credential except those of the accreditations above it (`trust.*`). */
export const credentialRules: readonly Rule<CredentialContext>[] = [
  ...schemaRules,
  ...periodRules,
  ...issuerRules,
  holderRule,
  accreditationRule,
  statusRule,
]

/**
 * Verifies a credential against every rule, even after a failure (profile/credential, Rules). The
 * rules are `credential.*` and, for each accreditation up to the root, `trust.*`. An input that is
 * not a JWT with a `vc` claim breaks only `credential.format`.
 *
 * @assumption A-18 A-23 A-28 A-29
 */
export async function verifyLearCredential(
  options: VerifyLearCredentialOptions,
): Promise<LearCredentialResult> {
  const { credential, policy, holderDid, now, cache } = options
  const jws = parseJws(credential)
  if (!jws.ok) return malformed(jws.reason)
  const { vc } = jws.payload
  if (typeof vc !== 'object' || vc === null || Array.isArray(vc))
    return malformed('it has no vc claim')

  const resolveDidDocument = remember(options.resolveDidDocument)
  const { fetchStatusList, readAttribute } = options
  const sources = { resolveDidDocument, fetchStatusList }
  const accreditation = parseTermsOfUse('termsOfUse' in vc ? vc.termsOfUse : undefined, policy)
  // The DID registry, the status list and the TIR are queried in parallel.
  const [context, trust] = await Promise.all([
    prepareCredential({ jws, policy, holderDid, now, accreditation, cache, ...sources }),
    accreditation
      ? walkTrustChain({
          ...policy,
          start: accreditation,
          credentialType: policy.acceptedType,
          now,
          readAttribute,
          resolveDidDocument,
          cache,
        })
      : { failures: [], checked: [], steps: [] },
  ])
  const results = evaluateRules(credentialRules, context)
  const failures = [...results.failures, ...trust.failures]
  return {
    ok: failures.length === 0,
    failures,
    checked: [...results.checked, ...trust.checked],
    vc: withEnd(context),
    trustChain: trust.steps,
  }
}

/** Without this rule no other rule of a credential can be evaluated. */
export const credentialFormatRule: RuleText = {
  rule: 'credential.format',
  statement: 'The credential is a JWT with a vc claim.',
  fix: 'Provide the credential as a compact JWT whose payload contains the object vc.',
  path: '',
}

function malformed(reason: string): LearCredentialResult {
  return { ok: false, ...breakRule(credentialFormatRule, reason), trustChain: [] }
}

/**
 * The `vc` claim with the end of the credential, for a service that keeps nothing else, like the IDP
 * to renew logins (VC Data Model 1.1, 6.3.1: `exp` represents the expiry). If
 * `exp` is the same time rounded down, the claim stays as the issuer wrote it.
 */
function withEnd({ vc, jws }: CredentialContext): CredentialContext['vc'] {
  const { exp } = jws.payload
  const isEarlier = isTime(exp) && exp < Math.floor(parseIsoTime(vc.validUntil) ?? Infinity)
  return isEarlier ? { ...vc, validUntil: toIsoTime(exp) } : vc
}

/** A verification resolves each document once, so that all rules see the same state. */
function remember(resolve: ResolveDidDocument): ResolveDidDocument {
  const known = new Map<string, Promise<Lookup<DidDocument>>>()
  return (did, validAt) => {
    const key = `${did} ${validAt ?? 'now'}`
    const asked = known.get(key) ?? resolve(did, validAt)
    known.set(key, asked)
    return asked
  }
}
