import type { TxCode } from '#core/oid4vci/credential-offer.ts'
import { createTokenRequest, parseTokenResponse, type TokenResponse } from '#core/oid4vci/token.ts'
import type { Wallet } from '../create-wallet.ts'
import { applyFaults, sendWithFaults } from '../faults/apply-faults.ts'
import { describeRefusal, sentenceOf, type WalletResponse } from '../http/create-wallet-http.ts'
import { type CounterpartAnswer, walletError } from '../wallet-error.ts'
import type { ResolvedOffer } from './resolve-credential-offer.ts'

/** One of the attempts to get a PIN from the holder. */
export interface PinAttempt {
  /** 1 for the first attempt. */
  readonly attempt: number
  /** The issuer's response to the previous PIN. */
  readonly answer?: CounterpartAnswer
}

export interface RequestTokenOptions {
  /**
   * Asks the holder for the PIN. Called only if the offer requires a PIN, and again if the issuer
   * rejects it. The wallet stops if it gets no PIN or the rejected PIN again.
   */
  readonly getPin?: (
    txCode: TxCode,
    attempt: PinAttempt,
  ) => Promise<string | undefined> | string | undefined
  /** Maximum number of PINs to try. Default: 3. Issuers end an offer after several wrong PINs. */
  readonly maximumPinAttempts?: number
}

/**
 * Exchanges the offer's code for an access token (profile/connector, Token). Throws a
 * TestbedError `pin_required` if the offer requires a PIN and none is given, `token_refused` with
 * the issuer's response, or `invalid_response`.
 */
export async function requestToken(
  wallet: Wallet,
  resolved: ResolvedOffer,
  { getPin, maximumPinAttempts = 3 }: RequestTokenOptions = {},
): Promise<TokenResponse> {
  const { txCode } = resolved.offer
  if (!txCode) return readToken(wallet, await sendTokenRequest(wallet, resolved))
  let refused: { readonly pin: string; readonly response: WalletResponse } | undefined
  for (let attempt = 1; ; attempt++) {
    wallet.emit({ type: 'pin-requested', txCode, attempt })
    const answer = refused && describeRefusal(refused.response)
    const pin = (await getPin?.(txCode, { attempt, ...(answer ? { answer } : {}) }))?.trim()
    if (refused && (!pin || pin === refused.pin)) return readToken(wallet, refused.response)
    if (!pin) {
      throw walletError(
        'pin_required',
        'The issuer requires a PIN, which it sends separately, but none was given.',
      )
    }
    const response = await sendTokenRequest(wallet, resolved, pin)
    const mayTryAgain =
      attempt < maximumPinAttempts && describeRefusal(response).error === 'invalid_grant'
    if (response.status !== 400 || !mayTryAgain) return readToken(wallet, response)
    wallet.emit({ type: 'pin-refused', attempt, answer: describeRefusal(response) })
    refused = { pin, response }
  }
}

function sendTokenRequest(
  wallet: Wallet,
  { preAuthorizedCode, metadata }: ResolvedOffer,
  txCode?: string,
): Promise<WalletResponse> {
  const form = createTokenRequest({ preAuthorizedCode, ...(txCode ? { txCode } : {}) })
  return sendWithFaults(wallet, 'tokenCall', {
    url: metadata.tokenEndpoint,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams(applyFaults(wallet, 'tokenRequest', form)).toString(),
  })
}

function readToken(wallet: Wallet, response: WalletResponse): TokenResponse {
  if (response.status !== 200) {
    const answer = describeRefusal(response)
    throw walletError('token_refused', sentenceOf(answer), { answer })
  }
  const result = parseTokenResponse(response.json)
  if (!result.ok) {
    const { failures } = result
    throw walletError('invalid_response', `${response.url} did not return a token.`, { failures })
  }
  // RFC 6750, 2.1: other characters cannot be sent in a header.
  if (!/^[\x21-\x7e]+$/.test(result.token.accessToken)) {
    throw walletError('invalid_response', `${response.url} returned a token that cannot be used.`)
  }
  const { expiresIn } = result.token
  wallet.emit({ type: 'token-received', ...(expiresIn === undefined ? {} : { expiresIn }) })
  return result.token
}
