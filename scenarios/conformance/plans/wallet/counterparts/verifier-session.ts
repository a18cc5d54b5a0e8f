import { randomBytes } from 'node:crypto'
import { createAuthorizationRequest } from '#core/oid4vp/authorization-request/create-authorization-request.ts'
import {
  createAuthorizationRequestReferenceUri,
  createSignedAuthorizationRequestUri,
} from '#core/oid4vp/authorization-request/create-authorization-request-uri.ts'
import {
  signedRequestMediaType,
  signedRequestType,
  walletAudience,
} from '#core/oid4vp/authorization-request/z-authorization-request.ts'
import { createDcqlQuery } from '#core/oid4vp/dcql-query/create-dcql-query.ts'
import type { Party, TrustWorld } from '../../../world/create-trust-world.ts'
import type { KitServer, ServedAnswer, ServedRequest } from '../../../world/start-kit-server.ts'
import { membersAt } from './issuer-behaviour.ts'
import { type ReceivedPost, readPost } from './read-post.ts'
import type { VerifierBehaviour, VerifierEndpoint } from './verifier-behaviour.ts'

/** A request as the verifier saw it. */
export interface VerifierRequest extends ServedRequest {
  readonly endpoint: VerifierEndpoint
}

/** One verifier for one check, below an address of its own, and what a wallet sent it. */
export interface VerifierSession {
  readonly party: Party
  readonly baseUrl: string
  readonly nonce: string
  readonly state: string
  readonly queryId: string
  /** Where a verifier that redirects sends the holder on; works once, as its code does. */
  readonly redirectUri: string
  /** The link with the parameters of an unsigned request; client_id is an address by default. */
  requestByValue(clientId?: string): string
  /** The link with the address of the signed request alone, or with a client_id beside it. */
  requestByReference(clientId?: string): string
  /** The link with the signed request in it. */
  signedRequest(): string
  readonly requests: readonly VerifierRequest[]
  requestsTo(endpoint: VerifierEndpoint): readonly VerifierRequest[]
  /** What was posted to the response_uri. */
  readonly posts: readonly ReceivedPost[]
}

export interface VerifierSessionOptions {
  readonly server: KitServer
  readonly world: TrustWorld
  /** The plan's verifier. */
  readonly verifier: Party
  readonly now: () => number
  readonly behaviour: VerifierBehaviour
}

const random = () => randomBytes(16).toString('base64url')

/** Opens a verifier of the documents' dialect. It answers 200 to every post and remembers it. */
export function openVerifierSession(options: VerifierSessionOptions): VerifierSession {
  const { server, world, now, behaviour } = options
  const { party = options.verifier, redirects = true } = behaviour
  const path = `/verifiers/${random()}`
  const baseUrl = `${server.origin}${path}`
  const nonce = random()
  const state = random()
  const redirectUri = `${baseUrl}/continue?response_code=${random()}`
  const queryId = 'lear-credential'
  const requests: VerifierRequest[] = []
  const posts: ReceivedPost[] = []
  const requestsTo = (endpoint: VerifierEndpoint) =>
    requests.filter((request) => request.endpoint === endpoint)

  const parameters = (clientId: string): Record<string, unknown> => {
    const query = createDcqlQuery({
      id: queryId,
      types: ['OrgPortalLearCredential'],
      claims: ['$.vc.credentialSubject.mandate.power'],
    })
    const [element] = query.credentials
    return {
      ...createAuthorizationRequest({
        clientId,
        responseUri: `${baseUrl}/response`,
        nonce,
        state,
        dcqlQuery: query,
      }),
      dcql_query: { credentials: [{ ...element, ...behaviour.query }] },
      ...membersAt(behaviour.parameters, baseUrl),
    }
  }
  const signedJwt = () => {
    const issuedAt = now()
    const claims = { iss: party.did, aud: walletAudience, iat: issuedAt, exp: issuedAt + 300 }
    const payload = { ...claims, ...parameters(party.did), ...behaviour.claims }
    const jwt = world.sign(payload, party, { typ: signedRequestType, ...behaviour.header })
    return behaviour.afterwards?.(jwt) ?? jwt
  }

  const usual: Readonly<
    Record<VerifierEndpoint, (request: ServedRequest) => Exclude<ServedAnswer, string>>
  > = {
    request: () => ({ status: 200, contentType: signedRequestMediaType, body: signedJwt() }),
    response: (request) => {
      posts.push(readPost(request))
      return {
        status: 200,
        body: redirects ? JSON.stringify({ redirect_uri: redirectUri }) : '',
      }
    },
    continue: () => ({ status: 200, contentType: 'text/html', body: '<h1>You are logged in</h1>' }),
    elsewhere: () => ({ status: 404, body: '{"error":"not_found"}' }),
  }
  server.mount(path, 'verifier', (request) => {
    const endpoint = endpoints[request.path] ?? 'elsewhere'
    requests.push({ ...request, endpoint })
    const answer = usual[endpoint](request)
    const nth = requestsTo(endpoint).length
    return behaviour.answers?.[endpoint]?.(answer, nth, request) ?? answer
  })

  return {
    party,
    baseUrl,
    nonce,
    state,
    queryId,
    redirectUri,
    requestByValue: (clientId = baseUrl) => {
      const texts = Object.entries(parameters(clientId))
        .filter(([, value]) => value !== undefined)
        .map(([name, value]): [string, string] => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ])
      return `openid4vp://?${texts.map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join('&')}`
    },
    requestByReference: (clientId) => {
      const link = createAuthorizationRequestReferenceUri(`${baseUrl}/request`)
      return clientId === undefined ? link : `${link}&client_id=${encodeURIComponent(clientId)}`
    },
    signedRequest: () => createSignedAuthorizationRequestUri(party.did, signedJwt()),
    requests,
    requestsTo,
    posts,
  }
}

const endpoints: Readonly<Record<string, VerifierEndpoint>> = {
  '/request': 'request',
  '/response': 'response',
  '/continue': 'continue',
}
