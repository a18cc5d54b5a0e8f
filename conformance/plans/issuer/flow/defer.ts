import { createDeferredCredentialRequest } from '#core/oid4vci/credential-request.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { endCheck, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { redeem } from './redeem.ts'

/** A credential that a wallet waits for. */
export interface Deferred {
  readonly acceptanceToken: string
  readonly accessToken: string
  /** POST /deferred_credential, once; by default with the access token as Bearer. */
  poll(options?: PollOptions): Promise<HttpAnswer>
}

export interface PollOptions {
  /** By default the one of the transaction. */
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A wallet asks for a credential that is not ready yet. */
export async function defer(context: IssuerContext): Promise<Deferred> {
  const { wallet, resolved, token } = await redeem(context, { kind: 'deferred' })
  const { metadata, offered } = resolved
  const [entry] = offered
  if (entry === undefined) endCheck(inconclusive('The offer holds no credential.'))
  const request = { metadata, entry, ...token }
  const response = await asPremise('asking for a credential', requestCredential(wallet, request))
  if (response.kind !== 'deferred') {
    endCheck(inconclusive('The credential of create-deferred-offer was there at once.'))
  }
  const { acceptanceToken } = response
  const { accessToken } = token
  return {
    acceptanceToken,
    accessToken,
    poll: ({
      json = createDeferredCredentialRequest(acceptanceToken),
      headers = { authorization: `Bearer ${accessToken}` },
    } = {}) =>
      context.http.request(metadata.deferredCredentialEndpoint, { method: 'POST', json, headers }),
  }
}
