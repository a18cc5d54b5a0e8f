import type { Interaction } from 'oidc-provider'
import type { Login, Outcome } from '../adapters/login-store.ts'
import type { Dependencies } from '../dependencies.ts'
import { accountRule, subjectOf } from '../domain/login.ts'

/**
 * Starts a verification for a login: its first QR code, or the next one after a failure.
 *
 * @throws TestbedError `verifier_unavailable` (503)
 * @row 1.resources-and-their-fields/verification-session.1
 */
export async function startVerification(
  { uid, params }: Pick<Interaction, 'uid' | 'params'>,
  attempt: number,
  { config, verifier, logins }: Dependencies,
): Promise<Login> {
  const returnUrl = `${config.baseUrl}/accounts/interaction/${uid}/return`
  const session = await verifier.createSession(config.redirectWallet ? returnUrl : undefined)
  return logins.add({ interactionUid: uid, clientId: String(params.client_id), attempt }, session)
}

/** The verification service's report on a presentation. */
export interface Verdict {
  readonly status: 'SUCCESS' | 'FAILED'
  readonly response_code?: string | undefined
  readonly credential?: unknown
  readonly failures: readonly { readonly rule: string; readonly reason: string }[]
  readonly unavailable: readonly string[]
}

/** Derives the outcome of a login: a valid presentation must also identify an account. */
export function outcomeOf(verdict: Verdict): Outcome {
  const { status, response_code: responseCode, credential, unavailable } = verdict
  const broken = verdict.failures.map(({ rule, reason }) => ({ rule, reason }))
  if (status === 'SUCCESS' && subjectOf(credential) === undefined) {
    // Such a credential verifies but does not identify a user.
    const reason = 'the credential lacks the identifier of the organization or of the employee'
    const failures = { broken: [...broken, { rule: accountRule.rule, reason }], unavailable }
    return { status: 'FAILED', responseCode, failures }
  }
  return { status, responseCode, credential, failures: { broken, unavailable } }
}

/** The account of a login that has succeeded. */
export function accountOf({ credential }: Pick<Login, 'credential'>): string {
  const subject = subjectOf(JSON.parse(credential ?? 'null'))
  if (subject === undefined) throw new TypeError('a login succeeded without a subject')
  return subject
}
