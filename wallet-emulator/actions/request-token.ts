import type { TxCode } from '#core/oid4vci/credential-offer/z-credential-offer.ts'
import { createTokenRequest } from '#core/oid4vci/token-request/create-token-request.ts'
import { parseTokenResponse } from '#core/oid4vci/token-response/parse-token-response.ts'
import type { TokenResponse } from '#core/oid4vci/token-response/z-token-response.ts'
import type { Wallet } from '../create-wallet.ts'
import { applyFaults, sendWithFaults } from '../faults/apply-faults.ts'
import { walletError } from '../wallet-error.ts'
import { describeRefusal, sentenceOf } from './describe-refusal.ts'
import type { ResolvedOffer } from './resolve-credential-offer.ts'

export interface RequestTokenOptions {
  /** Asks the holder for the PIN; called only where the offer asks for one. */
  readonly getPin?: (txCode: TxCode) => Promise<string | undefined> | string | undefined
}

/**
 * Exchanges the offer's code for an access token (Document 1, POST /token). Throws a TestbedError
 * `pin_required` where the offer wants a PIN and none is given, `token_refused` with the issuer's
 * answer, `invalid_response`.
 */
export async function requestToken(
  wallet: Wallet,
  { offer, preAuthorizedCode, metadata }: ResolvedOffer,
  { getPin }: RequestTokenOptions = {},
): Promise<TokenResponse> {
  let txCode: string | undefined
  if (offer.txCode) {
    wallet.emit({ type: 'pin-requested', txCode: offer.txCode })
    txCode = await getPin?.(offer.txCode)
    if (txCode === undefined || txCode === '') {
      throw walletError('pin_required', 'The issuer asks for a PIN, which it sent another way.')
    }
  }
  const form = createTokenRequest({ preAuthorizedCode, ...(txCode ? { txCode } : {}) })
  const response = await sendWithFaults(wallet, 'tokenCall', {
    url: metadata.tokenEndpoint,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams(applyFaults(wallet, 'tokenRequest', form)).toString(),
  })
  if (response.status !== 200) {
    const answer = describeRefusal(response)
    throw walletError('token_refused', sentenceOf(answer), { answer })
  }
  const result = parseTokenResponse(response.json)
  if (!result.ok) {
    const { failures } = result
    throw walletError('invalid_response', `${response.url} answered no token.`, { failures })
  }
  const { expiresIn } = result.token
  wallet.emit({ type: 'token-received', ...(expiresIn === undefined ? {} : { expiresIn }) })
  return result.token
}
