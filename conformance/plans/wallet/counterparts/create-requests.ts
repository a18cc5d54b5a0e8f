import {
  type AuthorizationRequestWire,
  createAuthorizationRequest,
  createAuthorizationRequestReferenceUri,
  createAuthorizationRequestUri,
  createSignedAuthorizationRequestUri,
  signedRequestType,
  walletAudience,
} from '#core/oid4vp/authorization-request.ts'
import { createDcqlQuery } from '#core/oid4vp/dcql-query.ts'
import type { Party, TrustWorld } from '../../../world/create-trust-world.ts'
import { type Members, membersAt } from './issuer-behaviour.ts'
import type { VerifierBehaviour } from './verifier-behaviour.ts'

export interface RequestsOptions {
  readonly world: TrustWorld
  readonly party: Party
  readonly baseUrl: string
  readonly nonce: string
  readonly state: string
  readonly queryId: string
  readonly now: () => number
  readonly behaviour: VerifierBehaviour
}

/** The request of a verifier, with the deviations of its behaviour, and the links that carry it. */
export function createRequests(options: RequestsOptions) {
  const { world, party, baseUrl, nonce, state, queryId, now, behaviour } = options
  const types = ['OrgPortalLearCredential']
  const claims = ['$.vc.credentialSubject.mandate.power']
  const dcqlQuery = createDcqlQuery({ id: queryId, types, claims })
  const [element] = dcqlQuery.credentials

  const parameters = (clientId: string): Members => ({
    ...createAuthorizationRequest({
      clientId,
      responseUri: `${baseUrl}/response`,
      nonce,
      state,
      dcqlQuery,
    }),
    dcql_query: { credentials: [{ ...element, ...behaviour.query }] },
    ...membersAt(behaviour.parameters, baseUrl),
  })
  const signedRequest = () => {
    const issuedAt = now()
    const claims = { iss: party.did, aud: walletAudience, iat: issuedAt, exp: issuedAt + 300 }
    const payload = { ...claims, ...parameters(party.did), ...behaviour.claims }
    const jwt = world.sign(payload, party, { typ: signedRequestType, ...behaviour.header })
    return behaviour.afterwards?.(jwt) ?? jwt
  }

  return {
    signedRequest,
    /** The link with the parameters of an unsigned request; client_id is an address by default. */
    requestByValue(clientId = baseUrl) {
      const given = Object.entries(parameters(clientId)).filter(([, value]) => value !== undefined)
      // A behaviour may have left out what a request has to have.
      return createAuthorizationRequestUri(
        Object.fromEntries(given) as unknown as AuthorizationRequestWire,
      )
    },
    /** The link with the address of the signed request alone, or with a client_id beside it. */
    requestByReference(clientId?: string) {
      const link = createAuthorizationRequestReferenceUri(`${baseUrl}/request`)
      return clientId === undefined ? link : `${link}&client_id=${encodeURIComponent(clientId)}`
    },
    /** The link with the signed request in it. */
    requestInLink: () => createSignedAuthorizationRequestUri(party.did, signedRequest()),
  }
}
