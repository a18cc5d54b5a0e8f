import { createRequestBody, type RedeemedOffer } from '#scenarios/fixtures/wallet-endpoints.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import type { IssuerContext } from '../issuer-context.ts'

export interface CredentialRequestOptions {
  /** By default that of the token response. */
  readonly cNonce?: string | undefined
  /** By default the documented one. */
  readonly json?: unknown
  /** By default the access token as Bearer. */
  readonly headers?: Readonly<Record<string, string>>
  /** Added to the address of the endpoint. */
  readonly query?: string
}

/** POST /credential, once and as it is; by default as documented. */
export function askForCredential(
  { http }: IssuerContext,
  { wallet, ...redeemed }: RedeemedOffer & { readonly wallet: Wallet },
  { cNonce, query = '', ...request }: CredentialRequestOptions = {},
): Promise<HttpAnswer> {
  const { resolved, token } = redeemed
  return http.request(`${resolved.metadata.credentialEndpoint}${query}`, {
    method: 'POST',
    headers: request.headers ?? { authorization: `Bearer ${token.accessToken}` },
    json: request.json ?? createRequestBody(wallet, redeemed, cNonce),
  })
}
