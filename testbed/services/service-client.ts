import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
} from '#kit/create-http-client.ts'
import type { EnvironmentContext } from './environment-context.ts'

/** Services with an API for their operator: the name in errors, and the secret that opens it. */
const operated = {
  management: { dependency: 'management API', secret: 'api-key/management' },
  verifier: { dependency: 'verifier', secret: 'api-key/verifier' },
  idp: { dependency: 'IDP', secret: 'api-key/idp-operator' },
  'token-issuer': { dependency: 'token issuer', secret: 'api-key/token-issuer' },
} as const

/** The client of a service's API for its operator, with the API key. */
export function createServiceClient(
  { runtime, localUrls, secret }: EnvironmentContext,
  part: keyof typeof operated,
  options: Pick<HttpClientOptions, 'caller'> & Partial<HttpClientOptions>,
): HttpClient {
  const { dependency, secret: name } = operated[part]
  const headers = { 'x-api-key': secret(name) }
  return createHttpClient(runtime, { dependency, baseUrl: localUrls[part], headers, ...options })
}
