import { createHmac } from 'node:crypto'
import type { PrivateJwk } from '#core/crypto/jwk.ts'
import {
  type AuthorizationRequestWire,
  createAuthorizationRequest,
} from '#core/oid4vp/authorization-request.ts'
import { createDcqlQuery } from '#core/oid4vp/dcql-query.ts'
import { createSignedRequest } from '#core/oid4vp/signed-request.ts'
import type { VerifierConfig } from '../config.ts'
import type { SessionTable } from '../tables.ts'

/** Id of the only element of every query, which the presentation_submission must name. */
const queryId = 'lear_credential'

type RequestConfig = Pick<
  VerifierConfig,
  'baseUrl' | 'verifierDid' | 'requestedClaims' | 'holderSuites'
>
type RequestSession = Pick<SessionTable, 'request_id' | 'nonce' | 'state' | 'credential_type'>

/**
 * The presentation request of a session, always the same. It declares the accepted suites
 * (profile/wallet, Keys).
 *
 * @row 1.resources-and-their-fields/supported-curves.4
 */
export function authorizationRequestOf(
  { baseUrl, verifierDid, requestedClaims, holderSuites }: RequestConfig,
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
    // Without vp_formats_supported: it is newer than a bare DID as client_id. Wallets that detect
    // the revision from the request (oid4vc-ts, Credo) reject a mix.
    client_metadata: { cryptographic_suites_supported: holderSuites },
  }
}

/** Address of a session's signed request. */
export function requestUriOf(
  { baseUrl }: Pick<VerifierConfig, 'baseUrl'>,
  { request_id }: Pick<SessionTable, 'request_id'>,
): string {
  return `${baseUrl}/requests/${request_id}`
}

/**
 * The presentation request of a session as a JWT, signed by the verifier's registered DID. It
 * expires with the session.
 *
 * @assumption A-45
 */
export function signRequestOf(
  config: VerifierConfig,
  session: RequestSession & Pick<SessionTable, 'expires_at'>,
  privateKey: PrivateJwk,
  now: number,
): string {
  return createSignedRequest({
    request: authorizationRequestOf(config, session),
    kid: `${config.verifierDid}#${config.verifierVMethodId}`,
    privateKey,
    now,
    expiresAt: session.expires_at,
  })
}

/**
 * The one-time code in the address that the wallet redirects its holder to. Derived from the
 * session when needed, so that the database does not contain it.
 */
export function responseCodeOf(
  { session_id }: { readonly session_id: string },
  { verifierPrivateKey }: Pick<VerifierConfig, 'verifierPrivateKey'>,
): string {
  return createHmac('sha256', verifierPrivateKey)
    .update(`response code of ${session_id}`)
    .digest('base64url')
}
