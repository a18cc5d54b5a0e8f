import { createTokenRequest } from '#core/oid4vci/token.ts'
import type { HttpAnswer, HttpRequest } from '#scenarios/harness/http-client.ts'
import type { ResolvedOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'
import type { IssuerContext } from '../issuer-context.ts'

/** POST /token; by default as documented, for an offer without a PIN. */
export function askForToken(
  { http }: IssuerContext,
  { metadata, preAuthorizedCode }: ResolvedOffer,
  request: HttpRequest = { form: createTokenRequest({ preAuthorizedCode }) },
): Promise<HttpAnswer> {
  return http.request(metadata.tokenEndpoint, { method: 'POST', ...request })
}
