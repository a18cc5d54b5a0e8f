import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { IssuerContext } from '../issuer-context.ts'

/** GET of the issuer metadata as it is, by default asked for as JSON. */
export function fetchMetadata(
  { http, credentialIssuer }: IssuerContext,
  headers: Readonly<Record<string, string>> = { accept: 'application/json' },
): Promise<HttpAnswer> {
  return http.request(`${credentialIssuer}/.well-known/openid-credential-issuer`, { headers })
}
