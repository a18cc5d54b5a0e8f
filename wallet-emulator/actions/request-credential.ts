import {
  createCredentialRequest,
  createDeferredCredentialRequest,
} from '#core/oid4vci/credential-request.ts'
import {
  type CredentialResponse,
  parseCredentialResponse,
} from '#core/oid4vci/credential-response.ts'
import type { CredentialSupported, IssuerMetadata } from '#core/oid4vci/issuer-metadata.ts'
import { createProofOfPossession } from '#core/oid4vci/proof-of-possession.ts'
import type { Wallet } from '../create-wallet.ts'
import { applyFaults, applyJwsFaults, sendWithFaults } from '../faults/apply-faults.ts'
import { describeRefusal, sentenceOf, type WalletResponse } from '../http/create-wallet-http.ts'
import { walletError } from '../wallet-error.ts'

export interface RequestCredentialOptions {
  readonly metadata: IssuerMetadata
  /** The requested entry of the offered credentials. */
  readonly entry: CredentialSupported
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn?: number | undefined
  readonly cNonce?: string | undefined
  /** Seconds. */
  readonly cNonceExpiresIn?: number | undefined
}

/**
 * Requests one credential with a proof of possession for this request (profile/connector,
 * Credential). If the issuer rejects the nonce and returns a new nonce, the wallet tries once more
 * with it. Throws a TestbedError `credential_refused` with the issuer's response, or
 * `invalid_response`.
 */
export async function requestCredential(
  wallet: Wallet,
  options: RequestCredentialOptions,
): Promise<CredentialResponse> {
  let response = await sendRequest(wallet, options)
  const freshNonce = freshNonceOf(response)
  if (freshNonce !== undefined && freshNonce !== options.cNonce) {
    wallet.emit({ type: 'nonce-renewed' })
    response = await sendRequest(wallet, { ...options, cNonce: freshNonce })
  }
  // An issuer may also defer with 202.
  if (response.status !== 200 && response.status !== 202) {
    const answer = describeRefusal(response)
    throw walletError('credential_refused', sentenceOf(answer), { answer })
  }
  const result = parseCredentialResponse(response.json)
  if (result.ok) return result.response
  const { failures } = result
  throw walletError('invalid_response', `${response.url} did not return a credential.`, {
    failures,
  })
}

function sendRequest(wallet: Wallet, options: RequestCredentialOptions): Promise<WalletResponse> {
  const { metadata, entry, accessToken, cNonce } = options
  const { did, kid } = wallet.account
  const proofJwt = applyJwsFaults(
    wallet,
    'proof',
    createProofOfPossession({
      privateKey: wallet.signingKey,
      holderDid: did,
      kid,
      credentialIssuer: metadata.credentialIssuer,
      ...(cNonce === undefined ? {} : { cNonce }),
      now: wallet.now(),
    }),
    options,
  )
  wallet.emit({ type: 'proof-created', jwt: proofJwt })
  const { format, types } = entry
  const body = { ...createCredentialRequest({ format, types, proofJwt }) }
  const call = {
    url: metadata.credentialEndpoint,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: `Bearer ${accessToken}`,
    },
    body: JSON.stringify(applyFaults(wallet, 'credentialRequest', body, options)),
  } as const
  return sendWithFaults(wallet, 'credentialCall', call, options)
}

/**
 * Returns the new c_nonce of a response that rejects the nonce (invalid_nonce, in earlier drafts
 * invalid_proof).
 */
function freshNonceOf({ status, json }: WalletResponse): string | undefined {
  if (status !== 400 || typeof json !== 'object' || json === null) return undefined
  const { error, c_nonce: nonce } = json as Record<string, unknown>
  if (error !== 'invalid_nonce' && error !== 'invalid_proof') return undefined
  return typeof nonce === 'string' && nonce !== '' ? nonce : undefined
}

/** How long a wallet waits for a deferred credential, and how often it polls. */
export interface DeferralOptions {
  /** Pause before the first poll if the issuer does not set an interval. Default: 2 s. */
  readonly intervalMilliseconds?: number
  /** Growth factor of the interval with each pending response. Default: 1.5. */
  readonly growth?: number
  /** Upper limit of the growth. Default: 30 s. The issuer's own interval may be longer. */
  readonly longestIntervalMilliseconds?: number
  /** Maximum number of polls. Default: 30. */
  readonly maximumPolls?: number
  /** Maximum total waiting time. Default: 15 minutes. */
  readonly longestWaitMilliseconds?: number
  /** Waits. Default: `wait` of the wallet. */
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

export interface DeferredCredentialRequest {
  readonly metadata: IssuerMetadata
  readonly acceptanceToken: string
  /** Seconds between two polls, as set by the issuer. */
  readonly interval?: number | undefined
}

/** The result of a poll. */
type PollResult =
  | { readonly kind: 'ready'; readonly format: string; readonly credential: string }
  | { readonly kind: 'pending'; readonly acceptanceToken?: string; readonly interval?: number }
  | { readonly kind: 'busy'; readonly status: number }

/**
 * Polls for a deferred credential until it is ready (profile/connector, Deferred credential):
 * 202 means pending, 200 returns the credential, 429 and 503 mean that the issuer is busy. The
 * wallet waits as long as the issuer requires (`interval`, Retry-After), otherwise longer each
 * time. Throws a TestbedError `deferred_time_out`, `credential_refused` or `invalid_response`; an
 * aborted wallet stops waiting.
 */
export async function pollDeferredCredential(
  wallet: Wallet,
  { metadata, acceptanceToken, interval }: DeferredCredentialRequest,
  {
    intervalMilliseconds = 2000,
    growth = 1.5,
    longestIntervalMilliseconds = 30_000,
    maximumPolls = 30,
    longestWaitMilliseconds = 900_000,
    wait = wallet.wait,
  }: DeferralOptions = {},
): Promise<{ readonly format: string; readonly credential: string }> {
  let token = acceptanceToken
  let pause = interval === undefined ? intervalMilliseconds : interval * 1000
  let atLeast = 0
  let waited = 0
  for (let attempt = 1; attempt <= maximumPolls; attempt++) {
    const milliseconds = applyFaults(wallet, 'pollInterval', Math.max(pause, atLeast))
    waited += milliseconds
    if (waited > longestWaitMilliseconds) break
    await wait(milliseconds)
    const response = await sendPoll(wallet, metadata, token)
    const result = readPoll(response)
    if (result.kind === 'ready') return { format: result.format, credential: result.credential }
    const longest = Math.max(pause, longestIntervalMilliseconds)
    pause = Math.min(pause * growth, longest)
    if (result.kind === 'pending') {
      // Each pending response may contain a new token and a new interval.
      token = result.acceptanceToken ?? token
      pause = result.interval === undefined ? pause : result.interval * 1000
    }
    atLeast = retryAfterMilliseconds(response, wallet.now())
    const next = Math.max(pause, atLeast)
    wallet.emit(
      result.kind === 'busy'
        ? { type: 'deferred-busy', attempt, status: result.status, nextMilliseconds: next }
        : { type: 'deferred-pending', attempt, nextMilliseconds: next },
    )
  }
  throw walletError(
    'deferred_time_out',
    'The credential was not ready within the maximum waiting time of the wallet.',
  )
}

function sendPoll(wallet: Wallet, { deferredCredentialEndpoint }: IssuerMetadata, token: string) {
  const body = createDeferredCredentialRequest(token)
  return sendWithFaults(wallet, 'deferredCall', {
    url: deferredCredentialEndpoint,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(applyFaults(wallet, 'deferredRequest', { ...body })),
  })
}

function readPoll(response: WalletResponse): PollResult {
  const { status, json, url } = response
  if (status === 429 || status === 503) return { kind: 'busy', status }
  if (status !== 200 && status !== 202) {
    const answer = describeRefusal(response)
    throw walletError('credential_refused', sentenceOf(answer), { answer })
  }
  const result = parseCredentialResponse(json)
  if (status === 202) {
    return result.ok && result.response.kind === 'deferred'
      ? { ...result.response, kind: 'pending' }
      : { kind: 'pending' }
  }
  if (!result.ok) {
    const { failures } = result
    throw walletError('invalid_response', `${url} did not return a credential.`, { failures })
  }
  return result.response.kind === 'immediate'
    ? { ...result.response, kind: 'ready' }
    : { ...result.response, kind: 'pending' }
}

/**
 * Retry-After is a number of seconds or a date (RFC 9110, section 10.2.3); anything else is
 * ignored.
 */
function retryAfterMilliseconds({ retryAfter }: WalletResponse, now: number): number {
  if (retryAfter === undefined) return 0
  const seconds = /^\d{1,9}$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : Date.parse(retryAfter) / 1000 - now
  return seconds > 0 ? seconds * 1000 : 0
}
