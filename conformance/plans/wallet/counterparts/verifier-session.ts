import { randomBytes } from 'node:crypto'
import { parseJws } from '#core/crypto/jws.ts'
import {
  type AuthorizationRequestWire,
  createAuthorizationRequest,
  createAuthorizationRequestReferenceUri,
  createAuthorizationRequestUri,
  createSignedAuthorizationRequestUri,
  signedRequestMediaType,
  signedRequestType,
  walletAudience,
} from '#core/oid4vp/authorization-request.ts'
import { createDcqlQuery } from '#core/oid4vp/dcql-query.ts'
import type { Party, TrustWorld } from '../../../world/create-trust-world.ts'
import type { KitServer, ServedAnswer, ServedRequest } from '../../../world/start-kit-server.ts'
import { type Members, type MembersAt, membersAt, type ReplaceAnswer } from './issuer-session.ts'

/** An endpoint of a verifier; `elsewhere` is any other path below its URL. */
type VerifierEndpoint = 'request' | 'response' | 'continue' | 'elsewhere'

/** The deviations of a verifier. A member set to undefined is omitted. */
export interface VerifierBehaviour {
  /** By default the plan's verifier. */
  readonly party?: Party
  /** Parameters of the request. */
  readonly parameters?: MembersAt
  /** Members of the only element of the query. */
  readonly query?: Members
  /** Additional claims of the signed request. */
  readonly claims?: Members
  readonly header?: Members
  /** Changes the signed request. */
  readonly afterwards?: (jwt: string) => string
  /** Whether the answer to a post contains redirect_uri. If not, it is empty. By default true. */
  readonly redirects?: boolean
  readonly answers?: Partial<Readonly<Record<VerifierEndpoint, ReplaceAnswer>>>
}

interface RequestsOptions {
  readonly world: TrustWorld
  readonly party: Party
  readonly baseUrl: string
  readonly nonce: string
  readonly state: string
  readonly queryId: string
  readonly now: () => number
  readonly behaviour: VerifierBehaviour
}

/** Creates the request of a verifier with the given behaviour, and the links to it. */
function createRequests(options: RequestsOptions) {
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
    /**
     * The link with the parameters of an unsigned request. By default client_id is the verifier's
     * URL.
     */
    requestByValue(clientId = baseUrl) {
      const given = Object.entries(parameters(clientId)).filter(([, value]) => value !== undefined)
      // A behaviour may omit required parameters.
      return createAuthorizationRequestUri(
        Object.fromEntries(given) as Partial<AuthorizationRequestWire>,
      )
    },
    /** The link with the URL of the signed request, and with client_id if given. */
    requestByReference(clientId?: string, query = '') {
      const link = createAuthorizationRequestReferenceUri(`${baseUrl}/request${query}`)
      return clientId === undefined ? link : `${link}&client_id=${encodeURIComponent(clientId)}`
    },
    /** The link that contains the signed request. */
    requestInLink: (clientId = party.did) =>
      createSignedAuthorizationRequestUri(clientId, signedRequest()),
  }
}

/** A post of the wallet to response_uri. */
export interface ReceivedPost {
  readonly contentType: string
  readonly form: URLSearchParams
  /** Empty if it is missing. */
  readonly vpToken: string
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  /** The elements of `vp.verifiableCredential`; empty if it is not a list. */
  readonly credentials: readonly unknown[]
}

/** Parses a post to response_uri without verifying it. */
function readPost({ headers, body }: ServedRequest): ReceivedPost {
  const form = new URLSearchParams(body)
  const vpToken = form.get('vp_token') ?? ''
  const jws = parseJws(vpToken)
  const { header, payload } = jws.ok ? jws : { header: {}, payload: {} }
  const { vp } = payload as { vp?: { verifiableCredential?: unknown } | null }
  const held = vp?.verifiableCredential
  return {
    contentType: headers['content-type'] ?? '',
    form,
    vpToken,
    header,
    payload,
    credentials: Array.isArray(held) ? held : [],
  }
}

/** Whether a wallet reports its rejection to the verifier (OpenID4VP 1.0, 8.2). */
const isErrorResponse = ({ form }: ReceivedPost) => form.has('error') && !form.has('vp_token')

/** A request that the verifier received. */
interface VerifierRequest extends ServedRequest {
  readonly endpoint: VerifierEndpoint
}

/** A verifier for one check, with its own URL, and the requests that it received. */
export interface VerifierSession
  extends Pick<
    ReturnType<typeof createRequests>,
    'requestByValue' | 'requestByReference' | 'requestInLink'
  > {
  readonly party: Party
  readonly baseUrl: string
  readonly nonce: string
  readonly state: string
  readonly queryId: string
  /** The redirect_uri in the answer to a post. Its code is valid once. */
  readonly redirectUri: string
  readonly requests: readonly VerifierRequest[]
  requestsTo(endpoint: VerifierEndpoint): readonly VerifierRequest[]
  /** The posts to response_uri, without those that only report an error. */
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

/** Opens a verifier of the profile's dialect. It returns 200 for every post and remembers it. */
export function openVerifierSession(options: VerifierSessionOptions): VerifierSession {
  const { server, world, now, behaviour } = options
  const { party = options.verifier, redirects = true } = behaviour
  const path = `/verifiers/${random()}`
  const baseUrl = `${server.origin}${path}`
  const redirectUri = `${baseUrl}/continue?response_code=${random()}%2B1%20z#part=${random()}`
  const known = { party, baseUrl, nonce: random(), state: random(), queryId: random() }
  const { signedRequest, ...links } = createRequests({ ...known, world, now, behaviour })
  const requests: VerifierRequest[] = []
  const posts: ReceivedPost[] = []
  const requestsTo = (endpoint: VerifierEndpoint) =>
    requests.filter((request) => request.endpoint === endpoint)

  const usual: Readonly<
    Record<VerifierEndpoint, (request: ServedRequest) => Exclude<ServedAnswer, string>>
  > = {
    request: () => ({ status: 200, contentType: signedRequestMediaType, body: signedRequest() }),
    response(request) {
      const post = readPost(request)
      if (!isErrorResponse(post)) posts.push(post)
      return { status: 200, body: redirects ? JSON.stringify({ redirect_uri: redirectUri }) : '' }
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
  return { ...known, ...links, redirectUri, requests, requestsTo, posts }
}

const endpoints: Readonly<Record<string, VerifierEndpoint>> = {
  '/request': 'request',
  '/response': 'response',
  '/continue': 'continue',
}
