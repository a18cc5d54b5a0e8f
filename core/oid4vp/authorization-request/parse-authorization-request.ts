import type { VerificationResult } from '#core/errors/verification-failure.ts'
import { evaluateRules } from '#core/verification/evaluate-rules.ts'
import {
  type AuthorizationRequestParameters,
  authorizationRequestRules,
  isText,
  readDcqlQuery,
} from './authorization-request-rules.ts'
import type { AuthorizationRequest } from './z-authorization-request.ts'

/**
 * Reads the parameters of a presentation request, from a link or from a signed request's payload,
 * by all `authorizationRequestRules`. Unknown parameters are let through.
 *
 * @see Document 1, Presentation authorization_request
 */
export function parseAuthorizationRequest(
  value: AuthorizationRequestParameters,
): VerificationResult<{ request: AuthorizationRequest }> {
  const { failures } = evaluateRules(authorizationRequestRules, value)
  const query = readDcqlQuery(value.dcql_query)
  if (failures.length > 0 || !query?.success) return { ok: false, failures }
  const { client_id, response_uri, nonce, state } = value
  return {
    ok: true,
    request: {
      clientId: String(client_id),
      responseUri: String(response_uri),
      nonce: String(nonce),
      ...(isText(state) ? { state } : {}),
      dcqlQuery: query.data,
    },
  }
}
