import type { SigningAlgorithm } from '#core/crypto/jwk.ts'
import type { DcqlQuery } from '../dcql-query/z-dcql-query.ts'

/** A presentation request, whatever way it was delivered. */
export interface AuthorizationRequest {
  /** The verifier, which the presentation has to be addressed to. */
  readonly clientId: string
  /** Where the presentation is posted. */
  readonly responseUri: string
  readonly nonce: string
  /** Echoed with the presentation, where there is one. */
  readonly state?: string
  readonly dcqlQuery: DcqlQuery
}

/** Its parameters (Document 1, Presentation authorization_request). */
export interface AuthorizationRequestWire {
  readonly response_type: 'vp_token'
  readonly response_mode: 'direct_post'
  readonly response_uri: string
  readonly client_id: string
  readonly nonce: string
  readonly state?: string
  readonly dcql_query: DcqlQuery
  /** What the verifier accepts; wallets of the document need not look at it. */
  readonly client_metadata?: VerifierMetadata
}

/** The suites of presentations that a verifier accepts, as the document names them. */
export interface VerifierMetadata {
  readonly cryptographic_suites_supported: readonly SigningAlgorithm[]
}

/** `typ` of a signed request (RFC 9101, section 10.8). */
export const signedRequestType = 'oauth-authz-req+jwt'

/** Media type under which a signed request is served (RFC 9101, section 5.2.3). */
export const signedRequestMediaType = 'application/oauth-authz-req+jwt'

/** `aud` of a signed request to a wallet that has no address (OpenID4VP 1.0, 5.8). */
export const walletAudience = 'https://self-issued.me/v2'

export const requestScheme = 'openid4vp://'
