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
  /** Which of the offered credentials. */
  readonly entry: CredentialSupported
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn?: number | undefined
  readonly cNonce?: string | undefined
  /** Seconds. */
  readonly cNonceExpiresIn?: number | undefined
}

/**
 * Asks for one credential with a proof of possession made for this request (profile/connector, POST
 * /credential). Where the issuer refuses the nonce and hands out a fresh one, the wallet tries once
 * more with that. Throws a TestbedError `credential_refused` with the issuer's answer, or
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
  // A deferring issuer may say so by 202 as well.
  if (response.status !== 200 && response.status !== 202) {
    const answer = describeRefusal(response)
    throw walletError('credential_refused', sentenceOf(answer), { answer })
  }
  const result = parseCredentialResponse(response.json)
  if (result.ok) return result.response
  const { failures } = result
  throw walletError('invalid_response', `${response.url} answered no credential.`, { failures })
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

/** The c_nonce of an answer that refuses the one used: by invalid_nonce, or earlier invalid_proof. */
function freshNonceOf({ status, json }: WalletResponse): string | undefined {
  if (status !== 400 || typeof json !== 'object' || json === null) return undefined
  const { error, c_nonce: nonce } = json as Record<string, unknown>
  if (error !== 'invalid_nonce' && error !== 'invalid_proof') return undefined
  return typeof nonce === 'string' && nonce !== '' ? nonce : undefined
}

/** How long a wallet waits for a deferred credential, and how often it asks. */
export interface DeferralOptions {
  /** Before the first poll, where the issuer names no interval; by default 2 seconds. */
  readonly intervalMilliseconds?: number
  /** By how much the interval grows with each answer that is none yet; by default 1.5. */
  readonly growth?: number
  /** Where it stops growing; by default 30 seconds. What an issuer asks for may be more. */
  readonly longestIntervalMilliseconds?: number
  /** How often it asks before it gives up; by default 30 times. */
  readonly maximumPolls?: number
  /** For how long it waits in all before it gives up; by default 15 minutes. */
  readonly longestWaitMilliseconds?: number
  /** How it waits; by default as the wallet does. */
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

export interface DeferredCredentialRequest {
  readonly metadata: IssuerMetadata
  readonly acceptanceToken: string
  /** Seconds between two polls, as the issuer wants it. */
  readonly interval?: number | undefined
}

/** What one poll brought: the credential, or nothing yet. */
type PollResult =
  | { readonly kind: 'ready'; readonly format: string; readonly credential: string }
  | { readonly kind: 'pending'; readonly acceptanceToken?: string; readonly interval?: number }
  | { readonly kind: 'busy'; readonly status: number }

/**
 * Asks for a deferred credential until it is there (profile/connector, POST /deferred_credential):
 * 202 means
 * not yet, 200 brings it; 429 and 503 mean that the issuer is busy. The wallet waits as long as the
 * issuer says (`interval`, Retry-After), else longer each time. Throws a TestbedError
 * `deferred_time_out`, `credential_refused` or `invalid_response`; an aborted wallet stops waiting.
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
      // An issuer may hand out another token, and another interval, with each answer that defers.
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
    'The credential was not ready in the time that the wallet waits.',
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
    throw walletError('invalid_response', `${url} answered no credential.`, { failures })
  }
  return result.response.kind === 'immediate'
    ? { ...result.response, kind: 'ready' }
    : { ...result.response, kind: 'pending' }
}

/** Retry-After is a number of seconds or a date (RFC 9110, section 10.2.3); anything else says nothing. */
function retryAfterMilliseconds({ retryAfter }: WalletResponse, now: number): number {
  if (retryAfter === undefined) return 0
  const seconds = /^\d{1,9}$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : Date.parse(retryAfter) / 1000 - now
  return seconds > 0 ? seconds * 1000 : 0
}
