import type { ParsedJws } from '#core/crypto/parse-jws.ts'
import { parseJws } from '#core/crypto/parse-jws.ts'
import type { VerificationFailure } from '#core/errors/verification-failure.ts'
import type { CredentialPolicy } from '#core/lear-credential/credential-context.ts'
import { verifyLearCredential } from '#core/lear-credential/verify-lear-credential.ts'
import { verifyPresentationSubmission } from '#core/oid4vp/presentation-submission/verify-presentation-submission.ts'
import { verifyVpToken } from '#core/oid4vp/vp-token/verify-vp-token.ts'
import type { TrustStep } from '#core/trust/walk-trust-chain.ts'
import { type CheckedRule, evaluateRules, type Rule } from '#core/verification/evaluate-rules.ts'
import type {
  FetchStatusList,
  ReadAttribute,
  ResolveDidDocument,
} from '#core/verification/lookup.ts'

/** Id of the one element of every query, which the presentation_submission has to name. */
export const queryId = 'lear_credential'

export interface VerifyResponseOptions {
  /** The presentation, taken apart. */
  readonly vpToken: ParsedJws
  /** The form field's text. */
  readonly presentationSubmission: string | undefined
  /** The form field's text; the documents' wallets do not send it. */
  readonly state: string | undefined
  /** What the session's request asked for. */
  readonly request: { readonly nonce: string; readonly state: string; readonly clientId: string }
  readonly policy: CredentialPolicy
  /** Unix seconds. */
  readonly now: number
  readonly resolveDidDocument: ResolveDidDocument
  readonly readAttribute: ReadAttribute
  readonly fetchStatusList: FetchStatusList
}

export interface ResponseVerdict {
  readonly ok: boolean
  readonly failures: readonly VerificationFailure[]
  readonly checked: readonly CheckedRule[]
  readonly holderDid: string | undefined
  /** The credential's `vc` claim, not to be used unless `ok`. */
  readonly vc: Readonly<Record<string, unknown>> | undefined
  readonly trustChain: readonly TrustStep[]
  /** Header and payload of presentation and credential, for the explanation. */
  readonly presentation: object
  readonly credential: object | undefined
}

const stateRule: Rule<Pick<VerifyResponseOptions, 'state' | 'request'>> = {
  rule: 'response.state',
  statement: "state, where it is sent, is the request's.",
  path: 'state',
  evaluate: ({ state, request }, { fail }) => {
    if (state !== undefined && state !== request.state) fail('it is another one')
  },
}

/**
 * Judges what a wallet posted: the presentation, its submission, and the credential inside, each by
 * all of its rules. `ok` only where no rule at all is broken.
 *
 * @assumption A-28
 */
export async function verifyResponse(options: VerifyResponseOptions): Promise<ResponseVerdict> {
  const { vpToken, presentationSubmission, request, policy, now } = options
  const { resolveDidDocument, readAttribute, fetchStatusList } = options
  const presentation = await verifyVpToken({
    jws: vpToken,
    audience: request.clientId,
    nonce: request.nonce,
    now,
  })
  const submission = await verifyPresentationSubmission({ presentationSubmission, queryId })
  const state = await evaluateRules([stateRule], options)
  const [first] = presentation.credentials
  const { holderDid } = presentation
  const credential = await verifyLearCredential({
    credential: first ?? '',
    policy,
    // A presentation whose signer can't be told presents nobody's credential.
    holderDid: holderDid ?? '',
    now,
    resolveDidDocument,
    readAttribute,
    fetchStatusList,
  })
  const parts = [presentation, submission, state, credential]
  const failures = parts.flatMap((part) => part.failures)
  return {
    ok: failures.length === 0,
    failures,
    checked: parts.flatMap((part) => part.checked),
    holderDid,
    vc: credential.vc,
    trustChain: credential.trustChain,
    presentation: decoded(vpToken),
    credential: first === undefined || credential.vc === undefined ? undefined : decode(first),
  }
}

function decode(jwt: string): object | undefined {
  const jws = parseJws(jwt)
  return jws.ok ? decoded(jws) : undefined
}

/** Without signatures: an explanation has to be of no use to who gets hold of it. */
function decoded({ header, payload }: ParsedJws): object {
  const { vp, ...claims } = payload
  const shown = typeof vp === 'object' && vp !== null ? { ...vp, verifiableCredential: '…' } : vp
  return { header, payload: vp === undefined ? claims : { ...claims, vp: shown } }
}
