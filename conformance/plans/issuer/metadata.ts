import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { jsonAsPremise } from '../../kit/classify-answer.ts'
import type { IssuerContext } from './context.ts'

/** GET of the issuer metadata, unparsed; by default requested as JSON. */
export function fetchMetadata(
  { http, credentialIssuer }: IssuerContext,
  headers: Readonly<Record<string, string>> = { accept: 'application/json' },
): Promise<HttpAnswer> {
  return http.request(`${credentialIssuer}/.well-known/openid-credential-issuer`, { headers })
}

/** The issuer metadata with any content; without it only I01 has a verdict. */
export async function readMetadata(
  context: IssuerContext,
): Promise<Readonly<Record<string, unknown>>> {
  return jsonAsPremise('the metadata', fetchMetadata(context), 'reading the metadata (see I01)')
}

/** Whether an entry of the metadata declares this name in one of its lists. */
export async function isDeclared(
  context: IssuerContext,
  list: 'cryptographic_suites_supported' | 'cryptographic_binding_methods_supported',
  name: string,
): Promise<boolean> {
  const { credentials_supported: entries } = await readMetadata(context)
  return [entries].flat().some((entry) => {
    const names = (entry as Readonly<Record<string, unknown>> | null | undefined)?.[list]
    return Array.isArray(names) && names.includes(name)
  })
}
