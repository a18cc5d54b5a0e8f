import { randomBytes } from 'node:crypto'
import {
  type CredentialOfferWire,
  createCredentialOfferReferenceUri,
  createCredentialOfferUri,
} from '#core/oid4vci/credential-offer.ts'
import type { TrustWorld } from '../../../world/create-trust-world.ts'
import type { KitServer, ServedAnswer, ServedRequest } from '../../../world/start-kit-server.ts'
import { createIssuance, createIssuerMessages, type IssuerSecrets } from './create-issuance.ts'
import type { IssuerBehaviour, IssuerEndpoint } from './issuer-behaviour.ts'
import type { ReceivedProof } from './read-proof.ts'

/** A request that the issuer received. */
export interface IssuerRequest extends ServedRequest {
  readonly endpoint: IssuerEndpoint
  /** Milliseconds of `performance.now()`. */
  readonly at: number
}

/** An issuer for one check, with its own URL, and the requests that it received. */
export interface IssuerSession extends IssuerSecrets {
  readonly credentialIssuer: string
  offerByValue(): string
  /** By default without a query. */
  offerByReference(query?: string): string
  readonly requests: readonly IssuerRequest[]
  requestsTo(endpoint: IssuerEndpoint): readonly IssuerRequest[]
  /** The proofs that arrived, with the results of the verification rules. */
  readonly proofs: readonly ReceivedProof[]
  /** The credentials that were issued. */
  readonly delivered: readonly string[]
}

export interface IssuerSessionOptions {
  readonly server: KitServer
  readonly world: TrustWorld
  readonly now: () => number
  readonly behaviour: IssuerBehaviour
}

const wellKnown = '/.well-known/openid-credential-issuer'
const random = () => randomBytes(16).toString('base64url')
const json = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) })

/**
 * Opens an issuer that follows the profile except for the given behaviour. The check evaluates that
 * deviation; everything else is correct.
 */
export function openIssuerSession(options: IssuerSessionOptions): IssuerSession {
  const { server, world, now, behaviour } = options
  const path = `/issuers/${random()}`
  const credentialIssuer = `${server.origin}${path}`
  const secrets = { preAuthorizedCode: random(), accessToken: random(), cNonce: random() }
  const { cNonce } = secrets
  const messages = createIssuerMessages(credentialIssuer, secrets, behaviour)
  const issuance = createIssuance({ world, now, behaviour, credentialIssuer, cNonce })
  const requests: IssuerRequest[] = []
  const requestsTo = (endpoint: IssuerEndpoint) =>
    requests.filter((request) => request.endpoint === endpoint)

  const usual: Readonly<
    Record<IssuerEndpoint, (request: ServedRequest) => Exclude<ServedAnswer, string>>
  > = {
    offer: () => json(200, messages.offer),
    metadata: () => json(200, messages.metadata),
    token: () => json(200, messages.token),
    credential: ({ body }) => issuance.answerCredentialRequest(body),
    deferred: () => issuance.answerPoll(requestsTo('deferred').length),
    'status-list': (request) => {
      const body = world.statusLists.get(`${credentialIssuer}${request.path}`)
      return body === undefined
        ? json(404, { error: 'not_found' })
        : { status: 200, contentType: 'application/vc+jwt', body }
    },
    elsewhere: () =>
      behaviour.everywhere === 'metadata'
        ? json(200, messages.metadata)
        : json(404, { error: 'not_found' }),
  }
  const serve = (
    request: ServedRequest,
    // After an identifier with a slash at its end, a wallet may append a second slash.
    endpoint = endpoints[request.path.replace(/^\/+/, '/')] ?? 'elsewhere',
  ) => {
    requests.push({ ...request, endpoint, at: performance.now() })
    const answer = usual[endpoint](request)
    const nth = requestsTo(endpoint).length
    return behaviour.answers?.[endpoint]?.(answer, nth, request) ?? answer
  }
  server.mount(path, 'credential issuer', serve)
  // OpenID4VCI 1.0, 12.2.2, puts the well-known part before the path of the identifier.
  server.mount(`${wellKnown}${path}`, 'credential issuer', (request) =>
    serve({ ...request, path: wellKnown }, 'metadata'),
  )

  return {
    ...secrets,
    credentialIssuer,
    // A behaviour may make the offer invalid.
    offerByValue: () => createCredentialOfferUri(messages.offer as CredentialOfferWire),
    offerByReference: (query = '') =>
      createCredentialOfferReferenceUri(`${credentialIssuer}/offer${query}`),
    requests,
    requestsTo,
    proofs: issuance.proofs,
    delivered: issuance.delivered,
  }
}

const endpoints: Readonly<Record<string, IssuerEndpoint>> = {
  '/offer': 'offer',
  [wellKnown]: 'metadata',
  '/token': 'token',
  '/credential': 'credential',
  '/deferred_credential': 'deferred',
  '/later': 'deferred',
  '/status-lists/1': 'status-list',
  '/status-lists/1/': 'status-list',
}
