import { createDeferredCredentialRequest } from '#core/oid4vci/credential-request.ts'
import type { HttpAnswer, HttpRequest } from '#scenarios/harness/http-client.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import { asPremise } from '../../kit/classify-answer.ts'
import type { IssuerContext } from './issuer-context.ts'
import type { Session } from './proofs.ts'
import { redeem } from './redeeming.ts'

/** A deferred credential that a wallet waits for. */
interface Deferred {
  readonly acceptanceToken: string
  readonly accessToken: string
  /** The DID of the proof. */
  readonly holderDid: string
  /** Its session, with the c_nonce of the deferred response if it has one. */
  readonly session: Session
  /**
   * POST /deferred_credential, once; by default the documented request, with the access token as
   * Bearer.
   */
  poll(request?: HttpRequest): Promise<HttpAnswer>
}

/** Requests a credential that is not ready yet, as a wallet. */
export async function defer(context: IssuerContext): Promise<Deferred> {
  const { wallet, resolved, token } = await redeem(context, { kind: 'deferred' })
  const { metadata, offered } = resolved
  const [entry] = offered
  if (entry === undefined) endCheck(inconclusive('The offer does not contain a credential.'))
  const request = { metadata, entry, ...token }
  const response = await asPremise('asking for a credential', requestCredential(wallet, request))
  if (response.kind !== 'deferred') {
    endCheck(inconclusive('The credential of create-deferred-offer was available immediately.'))
  }
  const { acceptanceToken, cNonce } = response
  const { accessToken } = token
  const documented = createDeferredCredentialRequest(acceptanceToken)
  return {
    acceptanceToken,
    accessToken,
    holderDid: wallet.account.did,
    session: { wallet, resolved, token: { ...token, ...(cNonce && { cNonce }) } },
    poll: ({ headers, ...body } = {}) =>
      context.http.request(metadata.deferredCredentialEndpoint, {
        method: 'POST',
        ...(Object.keys(body).length > 0 ? body : { json: documented }),
        headers: { authorization: `Bearer ${accessToken}`, ...headers },
      }),
  }
}
