import { randomUUID } from 'node:crypto'
import type { AuthorizationRequest } from '#core/oid4vp/authorization-request.ts'
import { createPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { createVpToken } from '#core/oid4vp/vp-token.ts'
import type { Wallet } from '../create-wallet.ts'
import { applyFaults, applyJwsFaults, sendWithFaults } from '../faults/apply-faults.ts'
import { walletError } from '../wallet-error.ts'
import { describeRefusal, sentenceOf } from './describe-refusal.ts'

export interface SubmitPresentationOptions {
  readonly request: AuthorizationRequest
  /** The element of the query that is answered. */
  readonly queryId: string
  /** The credential, a JWT. */
  readonly credential: string
}

export interface SubmittedPresentation {
  readonly vpToken: string
  /** Where the holder's browser is to go on. The wallet does not fetch it: it works once. */
  readonly redirectUri?: string
}

/**
 * Signs a presentation and posts it to the verifier's response_uri as a form (Document 1, Presentation
 * token and presentation_submission). Throws a TestbedError `presentation_refused` for any answer
 * but 200, which says nothing yet about the verdict.
 */
export async function submitPresentation(
  wallet: Wallet,
  { request, queryId, credential }: SubmitPresentationOptions,
): Promise<SubmittedPresentation> {
  const { did, kid, privateKey } = wallet.account
  const vpToken = applyJwsFaults(
    wallet,
    'presentation',
    createVpToken({
      holderDid: did,
      kid,
      privateKey,
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

/** The redirect_uri of an answer; one that is no web address is none that a browser is sent to. */
function redirectUriOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('redirect_uri' in body)) return undefined
  const { redirect_uri: redirectUri } = body
  if (typeof redirectUri !== 'string') return undefined
  // RFC 3986, 2: ASCII without blanks and control characters, which `URL` would pass over.
  const isAddress = /^https?:\/\/[\x21-\x7e]+$/i.test(redirectUri) && URL.canParse(redirectUri)
  return isAddress ? redirectUri : undefined
}
