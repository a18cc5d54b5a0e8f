import { parseCredentialResponse } from '#core/oid4vci/credential-response/parse-credential-response.ts'
import { createDeferredCredentialRequest } from '#core/oid4vci/deferred-credential-request/create-deferred-credential-request.ts'
import type { IssuerMetadata } from '#core/oid4vci/issuer-metadata/z-issuer-metadata.ts'
import type { Wallet } from '../create-wallet.ts'
import { applyFaults, sendWithFaults } from '../faults/apply-faults.ts'
import { walletError } from '../wallet-error.ts'
import { describeRefusal, sentenceOf } from './describe-refusal.ts'

export interface DeferralOptions {
  /** Between two polls; by default 2 seconds. */
  readonly intervalMilliseconds?: number
  /** How often it asks before it gives up; by default 30 times. */
  readonly maximumPolls?: number
  /** How it waits; scenarios that move the testbed's clock put that in here. */
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

/**
 * Asks for a deferred credential until it is there (Document 1, POST /deferred_credential): 202 means
 * not yet, 200 brings it. Throws a TestbedError `deferred_time_out`, `credential_refused` or
 * `invalid_response`.
 */
export async function pollDeferredCredential(
  wallet: Wallet,
  { metadata, acceptanceToken }: { metadata: IssuerMetadata; acceptanceToken: string },
  { intervalMilliseconds = 2000, maximumPolls = 30, wait = wallet.wait }: DeferralOptions = {},
): Promise<{ readonly format: string; readonly credential: string }> {
  let token = acceptanceToken
  for (let attempt = 1; attempt <= maximumPolls; attempt++) {
    await wait(applyFaults(wallet, 'pollInterval', intervalMilliseconds))
    const body = createDeferredCredentialRequest(token)
    const response = await sendWithFaults(wallet, 'deferredCall', {
      url: metadata.deferredCredentialEndpoint,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(applyFaults(wallet, 'deferredRequest', { ...body })),
    })
    if (response.status !== 200 && response.status !== 202) {
      const answer = describeRefusal(response)
      throw walletError('credential_refused', sentenceOf(answer), { answer })
    }
    const result = parseCredentialResponse(response.json)
    if (response.status === 200) {
      if (!result.ok) {
        const { failures } = result
        throw walletError('invalid_response', `${response.url} answered no credential.`, {
          failures,
        })
      }
      if (result.response.kind === 'immediate') {
        const { format, credential } = result.response
        return { format, credential }
      }
    }
    // An issuer may hand out another token with each answer that defers.
    if (result.ok && result.response.kind === 'deferred') token = result.response.acceptanceToken
    wallet.emit({ type: 'deferred-pending', attempt })
  }
  throw walletError(
    'deferred_time_out',
    `The credential was not ready after ${maximumPolls} requests.`,
  )
}
