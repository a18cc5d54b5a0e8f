import { randomBytes } from 'node:crypto'
import { signedRequestMediaType } from '#core/oid4vp/authorization-request.ts'
import type { Party, TrustWorld } from '../../../world/create-trust-world.ts'
import type { KitServer, ServedAnswer, ServedRequest } from '../../../world/start-kit-server.ts'
import { createRequests } from './create-requests.ts'
import { type ReceivedPost, readPost } from './read-post.ts'
import type { VerifierBehaviour, VerifierEndpoint } from './verifier-behaviour.ts'

/** A request as the verifier saw it. */
export interface VerifierRequest extends ServedRequest {
  readonly endpoint: VerifierEndpoint
}

/** One verifier for one check, below an address of its own, and what a wallet sent it. */
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
  /** Where a verifier that redirects sends the holder on; works once, as its code does. */
  readonly redirectUri: string
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
  const redirectUri = `${baseUrl}/continue?response_code=${random()}`
  const known = { party, baseUrl, nonce: random(), state: random(), queryId: 'lear-credential' }
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
      posts.push(readPost(request))
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
