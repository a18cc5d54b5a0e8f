import type { AuthorizationRequest, AuthorizationRequestWire } from './z-authorization-request.ts'

/**
 * The parameters of a presentation request (Document 1, Presentation authorization_request).
 *
 * @row 1.resources-and-their-fields/presentation-authorization-request.1..6
 */
export function createAuthorizationRequest({
  clientId,
  responseUri,
  nonce,
  state,
  dcqlQuery,
}: AuthorizationRequest): AuthorizationRequestWire {
  return {
    response_type: 'vp_token',
    response_mode: 'direct_post',
    response_uri: responseUri,
    client_id: clientId,
    nonce,
    ...(state === undefined ? {} : { state }),
    dcql_query: dcqlQuery,
  }
}
