import { type ParsedJws, parseJws } from '#core/crypto/jws.ts'
import type { CredentialPolicy } from '#core/lear-credential/credential-context.ts'
import { verifyLearCredential } from '#core/lear-credential/verify-lear-credential.ts'
import type { AuthorizationRequestWire } from '#core/oid4vp/authorization-request.ts'
import { matchesCredentialQuery } from '#core/oid4vp/dcql-query.ts'
import { verifyPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { verifyVpToken } from '#core/oid4vp/vp-token.ts'
import type { TrustStep } from '#core/trust/trust-chain.ts'
import type { Lookups } from '#core/verification/lookup.ts'
import {
  type CheckedRule,
  evaluateRules,
  type Rule,
  type VerificationFailure,
} from '#core/verification/rules.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'

export interface VerifyResponseOptions extends Lookups {
  /** The parsed presentation. */
  readonly vpToken: ParsedJws
  /** Value of the form field. */
  readonly presentationSubmission: string | undefined
  /** Value of the form field; wallets of the profile do not send it. */
  readonly state: string | undefined
  /** The session's request; its query asks for one credential. */
  readonly request: AuthorizationRequestWire
  readonly policy: CredentialPolicy
  /** Unix seconds. */
  readonly now: number
  readonly cache?: VerificationCache | undefined
}

export interface ResponseVerdict {
  readonly ok: boolean
  readonly failures: readonly VerificationFailure[]
  readonly checked: readonly CheckedRule[]
  readonly holderDid: string | undefined
  /** The credential's `vc` claim, only trustworthy if `ok`. */
  readonly vc: Readonly<Record<string, unknown>> | undefined
  readonly trustChain: readonly TrustStep[]
  readonly presentation: ParsedJws
  /** Undefined if it is unreadable. */
  readonly credential: ParsedJws | undefined
}

interface Context extends Pick<VerifyResponseOptions, 'state' | 'request'> {
  /** The credential's payload; undefined if it is unreadable. */
  readonly payload: ParsedJws['payload'] | undefined
}

/** The rules for the response as a whole, beyond those of the messages in it. */
export const responseRules: readonly Rule<Context>[] = [
  {
    rule: 'response.state',
    statement: 'state, if present, matches the request.',
    fix: 'Copy state from the request unchanged, or omit it.',
    path: 'state',
    evaluate: ({ state, request }, { fail }) => {
      if (state !== undefined && state !== request.state) fail('it does not match')
    },
  },
  {
    rule: 'credential.claims',
    statement: 'The credential contains every claim that the request requires.',
    fix: 'Present a credential with every claim that dcql_query names. As its issuer, add the missing claims.',
    path: 'vc',
    evaluate: ({ request, payload }, { fail }) => {
      for (const { claims = [], ...element } of request.dcql_query.credentials) {
        // Separate rules verify its type.
        const isMissing = (claim: (typeof claims)[number]) =>
          !payload || !matchesCredentialQuery({ ...element, meta: {}, claims: [claim] }, payload)
        for (const { path } of claims.filter(isMissing)) fail(`missing: ${path.join(', ')}`)
      }
    },
  },
]

/**
 * Verifies what a wallet posted: the presentation, its submission, and the credential in it, each
 * with all of its rules. `ok` only if no rule is broken.
 *
 * @assumption A-28
 */
export async function verifyResponse(options: VerifyResponseOptions): Promise<ResponseVerdict> {
  const { vpToken, presentationSubmission, request, policy, now, cache } = options
  const { resolveDidDocument, readAttribute, fetchStatusList } = options
  const { client_metadata } = request
  const presentation = verifyVpToken({
    jws: vpToken,
    audience: request.client_id,
    nonce: request.nonce,
    now,
    cache,
    ...(client_metadata && { algorithms: client_metadata.cryptographic_suites_supported }),
  })
  const queryId = request.dcql_query.credentials[0]?.id ?? ''
  const submission = verifyPresentationSubmission({ presentationSubmission, queryId })
  // Without a credential, the empty string breaks the rule about its format.
  const [presented = ''] = presentation.credentials
  const { holderDid } = presentation
  const credential = await verifyLearCredential({
    credential: presented,
    policy,
    // Without a verifiable signer, no credential has the right holder.
    holderDid: holderDid ?? '',
    now,
    resolveDidDocument,
    readAttribute,
    fetchStatusList,
    cache,
  })
  // Skips what the rules of a credential reject as malformed.
  const readable = credential.vc && parseJws(presented)
  const jws = readable?.ok ? readable : undefined
  const response = evaluateRules(responseRules, { ...options, payload: jws?.payload })
  const parts = [presentation, submission, response, credential]
  const failures = parts.flatMap((part) => part.failures)
  return {
    ok: failures.length === 0,
    failures,
    checked: parts.flatMap((part) => part.checked),
    holderDid,
    vc: credential.vc,
    trustChain: credential.trustChain,
    presentation: vpToken,
    credential: jws,
  }
}
