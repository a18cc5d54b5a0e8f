import {
  type AuthorizationRequestWire,
  createAuthorizationRequest,
} from '#core/oid4vp/authorization-request.ts'
import { createDcqlQuery } from '#core/oid4vp/dcql-query.ts'
import { presentationSuites } from '#core/oid4vp/vp-token.ts'
import type { VerifierConfig } from '../config.ts'
import type { SessionTable } from '../tables.ts'

/** Id of the one element of every query, which the presentation_submission has to name. */
const queryId = 'lear_credential'

type RequestConfig = Pick<VerifierConfig, 'baseUrl' | 'verifierDid' | 'requestedClaims'>
export type RequestSession = Pick<
  SessionTable,
  'request_id' | 'nonce' | 'state' | 'credential_type'
>

/**
 * The presentation request of a session: the same one every time it is asked for. It declares the
 * suites that are accepted (Document 1, Supported curves).
 *
 * @row 1.resources-and-their-fields/supported-curves.4
 */
export function authorizationRequestOf(
  { baseUrl, verifierDid, requestedClaims }: RequestConfig,
  { request_id, nonce, state, credential_type }: RequestSession,
): AuthorizationRequestWire {
  const request = createAuthorizationRequest({
    clientId: verifierDid,
    responseUri: `${baseUrl}/responses/${request_id}`,
    nonce,
    state,
    dcqlQuery: createDcqlQuery({ id: queryId, types: [credential_type], claims: requestedClaims }),
  })
  return {
    ...request,
    // Without vp_formats_supported, which came later than a bare DID for a client_id went: wallets that
    // tell the revision from the request (oid4vc-ts, Credo) refuse one that mixes them.
    client_metadata: { cryptographic_suites_supported: presentationSuites },
  }
}

/** Address at which a session's signed request is served. */
export function requestUriOf(
  { baseUrl }: Pick<VerifierConfig, 'baseUrl'>,
  { request_id }: Pick<SessionTable, 'request_id'>,
): string {
  return `${baseUrl}/requests/${request_id}`
}
