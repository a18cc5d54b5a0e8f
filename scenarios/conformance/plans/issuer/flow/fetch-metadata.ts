import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { requireJson } from '../../../classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'

/** GET of the issuer metadata as it is, by default asked for as JSON. */
export function fetchMetadata(
  { http, credentialIssuer }: IssuerContext,
  headers: Readonly<Record<string, string>> = { accept: 'application/json' },
): Promise<HttpAnswer> {
  return http.request(`${credentialIssuer}/.well-known/openid-credential-issuer`, { headers })
}

/** The issuer metadata, whatever is in it; ends the check where there is none. */
export async function readMetadata(
  context: IssuerContext,
): Promise<Readonly<Record<string, unknown>>> {
  return requireJson(await fetchMetadata(context), 'The issuer metadata')
}
