import type { Wallet } from '../create-wallet.ts'
import type { StoredCredential } from '../store/wallet-store.ts'
import { walletError } from '../wallet-error.ts'
import {
  type ResolveAuthorizationRequestOptions,
  type ResolvedRequest,
  resolveAuthorizationRequest,
} from './resolve-authorization-request.ts'
import { type MatchingCredentials, selectCredentials } from './select-credentials.ts'
import { type SubmittedPresentation, submitPresentation } from './submit-presentation.ts'

export interface PresentOptions extends ResolveAuthorizationRequestOptions {
  /** Chooses among several credentials; by default the first of those that are offered. */
  readonly select?: (matching: MatchingCredentials) => Promise<StoredCredential> | StoredCredential
  /** Asks the holder before anything is sent; by default everything is presented. */
  readonly consent?: (
    request: ResolvedRequest,
    credential: StoredCredential,
  ) => Promise<boolean> | boolean
}

export interface PresentedCredential extends SubmittedPresentation {
  readonly request: ResolvedRequest
  readonly credential: StoredCredential
}

/**
 * Answers a presentation request from its link to the post: one credential, the one that was chosen,
 * and nothing else. Throws a TestbedError with the code of the step that failed, or `declined` where
 * the holder says no; nothing is posted then.
 *
 * @row 1.versioning.1
 */
export async function present(
  wallet: Wallet,
  link: string,
  { select = ({ candidates: [first] }) => first, consent, ...options }: PresentOptions = {},
): Promise<PresentedCredential> {
  const resolved = await resolveAuthorizationRequest(wallet, link, options)
  const matching = await selectCredentials(wallet, resolved.request)
  const credential = await select(matching)
  wallet.emit({ type: 'consent-asked', clientId: resolved.request.clientId })
  if (consent && !(await consent(resolved, credential))) {
    throw walletError('declined', 'The holder declined to present the credential.')
  }
  const submitted = await submitPresentation(wallet, {
    request: resolved.request,
    queryId: matching.queryId,
    credential: credential.credential,
  })
  return { ...submitted, request: resolved, credential }
}
