import { createTokenRequest } from '#core/oid4vci/token-request/create-token-request.ts'
import { createRequestBody } from '#scenarios/fixtures/create-request-body.ts'
import type { RedeemedOffer } from '#scenarios/fixtures/redeem-offer.ts'
import type { HttpAnswer, HttpRequest } from '#scenarios/harness/http-client.ts'
import type { ResolvedOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import type { IssuerContext } from '../issuer-context.ts'

/** POST /token; by default as documented, for an offer without a PIN. */
export function askForToken(
  { http }: IssuerContext,
  { metadata, preAuthorizedCode }: ResolvedOffer,
  request: HttpRequest = { form: createTokenRequest({ preAuthorizedCode }) },
): Promise<HttpAnswer> {
  return http.request(metadata.tokenEndpoint, { method: 'POST', ...request })
}

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
