import { type AuthorizationRequestWire, requestScheme } from './z-authorization-request.ts'

/**
 * The link that carries a request by value: each parameter URL-encoded, dcql_query as JSON.
 *
 * @row 1.resources-and-their-fields/presentation-authorization-request.8
 */
export function createAuthorizationRequestUri(request: AuthorizationRequestWire): string {
  const parameters = Object.entries(request).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `${name}=${encodeURIComponent(text)}`
  })
  return `${requestScheme}?${parameters.join('&')}`
}

/**
 * The link that carries the address of a request, as the document recommends.
 *
 * @row 1.resources-and-their-fields/presentation-authorization-request.8
 */
export function createAuthorizationRequestReferenceUri(requestUri: string): string {
  return `${requestScheme}?request_uri=${encodeURIComponent(requestUri)}`
}

/** The link that carries a signed request itself; `clientId` is the verifier that signed it. */
export function createSignedAuthorizationRequestUri(clientId: string, requestJwt: string): string {
  return `${requestScheme}?client_id=${encodeURIComponent(clientId)}&request=${encodeURIComponent(requestJwt)}`
}
