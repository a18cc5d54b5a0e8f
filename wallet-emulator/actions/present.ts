import type { Wallet } from '../create-wallet.ts'
import type { StoredCredential } from '../store/wallet-store.ts'
import { walletError } from '../wallet-error.ts'
import {
  createCredentialSelector,
  type SelectCredential,
  type SelectionRules,
} from './create-credential-selector.ts'
import {
  type ResolveAuthorizationRequestOptions,
  type ResolvedRequest,
  resolveAuthorizationRequest,
} from './resolve-authorization-request.ts'
import { selectCredentials } from './select-credentials.ts'
import { type SubmittedPresentation, submitPresentation } from './submit-presentation.ts'
import { tellFailure } from './tell-failure.ts'

/** How a request is answered. */
export interface PresentOptions extends ResolveAuthorizationRequestOptions {
  /** Chooses among several credentials, or the rules to choose by; by default the first offered. */
  readonly select?: SelectCredential | SelectionRules
  /** Asks the holder before anything is sent; by default everything is presented. */
  readonly consent?: (
    request: ResolvedRequest,
    credential: StoredCredential,
  ) => Promise<boolean> | boolean
}

/** What was presented, to whom, and where the holder goes on. */
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
  options: PresentOptions = {},
): Promise<PresentedCredential> {
  return tellFailure(wallet, 'present', () => answerRequest(wallet, link, options))
}

async function answerRequest(
  wallet: Wallet,
  link: string,
  { select = {}, consent, ...options }: PresentOptions,
): Promise<PresentedCredential> {
  const resolved = await resolveAuthorizationRequest(wallet, link, options)
  const { clientId } = resolved.request
  const matching = await selectCredentials(wallet, resolved.request)
  const choose = typeof select === 'function' ? select : createCredentialSelector(select)
  const credential = await choose(matching)
  // What does not answer the request is none of the verifier's business, whoever chose it.
  if (!matching.candidates.some(({ id }) => id === credential.id)) {
    throw walletError('no_matching_credential', 'The chosen credential is not what is asked for.')
  }
  wallet.emit({ type: 'credential-selected', id: credential.id })
  wallet.emit({ type: 'consent-asked', clientId })
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
