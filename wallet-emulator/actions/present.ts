import { randomUUID } from 'node:crypto'
import type { AuthorizationRequest } from '#core/oid4vp/authorization-request.ts'
import { createPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { createVpToken } from '#core/oid4vp/vp-token.ts'
import { emitFailure, type Wallet } from '../create-wallet.ts'
import { applyFaults, applyJwsFaults, sendWithFaults } from '../faults/apply-faults.ts'
import { describeRefusal, sentenceOf } from '../http/create-wallet-http.ts'
import type { StoredCredential } from '../store/wallet-store.ts'
import { walletError } from '../wallet-error.ts'
import {
  type ResolveAuthorizationRequestOptions,
  type ResolvedRequest,
  resolveAuthorizationRequest,
} from './resolve-authorization-request.ts'
import {
  createCredentialSelector,
  type SelectCredential,
  type SelectionRules,
  selectCredentials,
} from './select-credentials.ts'

export interface SubmitPresentationOptions {
  readonly request: AuthorizationRequest
  /** The id of the matched query element. */
  readonly queryId: string
  /** The credential, a JWT. */
  readonly credential: string
}

export interface SubmittedPresentation {
  readonly vpToken: string
  /**
   * Where the holder's browser continues. The wallet does not fetch it, because it works only once.
   */
  readonly redirectUri?: string
}

/**
 * Signs a presentation and posts it to the verifier's response_uri as a form (profile/verifier,
 * Presentation and presentation_submission). Throws a TestbedError `presentation_refused` for any
 * status except 200. A 200 is not yet a verdict.
 */
export async function submitPresentation(
  wallet: Wallet,
  { request, queryId, credential }: SubmitPresentationOptions,
): Promise<SubmittedPresentation> {
  const { did, kid } = wallet.account
  const vpToken = applyJwsFaults(
    wallet,
    'presentation',
    createVpToken({
      holderDid: did,
      kid,
      privateKey: wallet.signingKey,
      audience: request.clientId,
      nonce: request.nonce,
      credentials: [credential],
      now: wallet.now(),
    }),
  )
  wallet.emit({ type: 'presentation-created', jwt: vpToken })
  const submission = createPresentationSubmission({ id: randomUUID(), queryId })
  const form = applyFaults(wallet, 'presentationResponse', {
    vp_token: vpToken,
    presentation_submission: JSON.stringify(submission),
    ...(request.state === undefined ? {} : { state: request.state }),
  })
  const response = await sendWithFaults(wallet, 'presentationCall', {
    url: request.responseUri,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams(form).toString(),
  })
  if (response.status !== 200) {
    const answer = describeRefusal(response)
    throw walletError('presentation_refused', sentenceOf(answer), { answer })
  }
  const redirectUri = redirectUriOf(response.json)
  const redirect = redirectUri === undefined ? {} : { redirectUri }
  wallet.emit({ type: 'presentation-accepted', ...redirect })
  return { vpToken, ...redirect }
}

/** Returns the redirect_uri of a response; undefined if it is not a valid http or https URL. */
function redirectUriOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('redirect_uri' in body)) return undefined
  const { redirect_uri: redirectUri } = body
  if (typeof redirectUri !== 'string') return undefined
  // RFC 3986, 2: ASCII without spaces and control characters, which `URL` would ignore.
  const isAddress = /^https?:\/\/[\x21-\x7e]+$/i.test(redirectUri) && URL.canParse(redirectUri)
  return isAddress ? redirectUri : undefined
}

/** How the wallet responds to a request. */
export interface PresentOptions extends ResolveAuthorizationRequestOptions {
  /** Chooses among several credentials, as a function or as rules. Default: the first match. */
  readonly select?: SelectCredential | SelectionRules
  /** Asks the holder before anything is sent. Default: everything is presented. */
  readonly consent?: (
    request: ResolvedRequest,
    credential: StoredCredential,
  ) => Promise<boolean> | boolean
}

/** What was presented, to which verifier, and where the holder continues. */
export interface PresentedCredential extends SubmittedPresentation {
  readonly request: ResolvedRequest
  readonly credential: StoredCredential
}

/**
 * Responds to a presentation request, from its link to the post, with exactly one credential: the
 * selected one. Throws a TestbedError with the code of the step that failed, or `declined` if the
 * holder declines, in which case nothing is posted.
 *
 * @row 1.versioning.1
 */
export function present(
  wallet: Wallet,
  link: string,
  options: PresentOptions = {},
): Promise<PresentedCredential> {
  return emitFailure(wallet, 'present', () => answerRequest(wallet, link, options))
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
  // The verifier must not receive a credential that does not match its request, even if it was
  // selected.
  if (!matching.candidates.some(({ id }) => id === credential.id)) {
    throw walletError(
      'no_matching_credential',
      'The selected credential does not match the request.',
    )
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
