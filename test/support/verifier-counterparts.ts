import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { createJWT, ES256KSigner } from 'did-jwt'
import { createAuthorizationRequestUri } from '#core/oid4vp/authorization-request.ts'
import { createDcqlQuery } from '#core/oid4vp/dcql-query.ts'
import { listenForTest, listenOn } from './servers.ts'
import { createCounterpartKey } from './start-issuer-counterpart.ts'

/** The behaviour of a verifier that implements the profile without code of the testbed. */
export interface VerifierBehaviour {
  /** Members that replace those of the request; undefined omits one. */
  request?: Record<string, unknown>
  /** Sign with a key that the DID document does not have. */
  foreignKey?: boolean
  header?: Record<string, unknown>
  /** Answer of the response endpoint. */
  status?: number
  answer?: string
}

export interface VerifierCounterpart {
  readonly baseUrl: string
  readonly did: string
  readonly nonce: string
  readonly state: string
  /** A request in a signed JWT at an address, as recommended. */
  link(): string
  /** The parameters of an unsigned request in the link itself. */
  linkByValue(clientId?: string): string
  /** Forms that were posted to the response endpoint. */
  readonly forms: URLSearchParams[]
  readonly requests: string[]
}

/** A verifier, and the DID registry that knows it, on a free port. It ends with the running test. */
export async function startVerifierCounterpart(
  behaviour: VerifierBehaviour = {},
): Promise<VerifierCounterpart> {
  const did = 'did:org:uc-pre:z1TheVerifierofThisTest'
  const kid = `${did}#${'v'.repeat(43)}`
  const { secret, document } = createCounterpartKey(did, kid)
  const nonce = randomBytes(16).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  let baseUrl = ''

  const parameters = (): Record<string, unknown> => ({
    response_type: 'vp_token',
    response_mode: 'direct_post',
    response_uri: `${baseUrl}/response`,
    client_id: did,
    nonce,
    state,
    dcql_query: {
      credentials: [
        {
          id: 'lear',
          format: 'jwt_vc_json',
          meta: { vct_values: ['OrgPortalLearCredential'] },
          claims: [{ path: ['$.vc.credentialSubject.mandate.power'] }],
        },
      ],
    },
    ...behaviour.request,
  })

  async function signedRequest(): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const payload = { iss: did, aud: 'https://self-issued.me/v2', iat: now, exp: now + 300 }
    return createJWT(
      { ...payload, ...parameters() },
      {
        issuer: did,
        signer: ES256KSigner(behaviour.foreignKey ? randomBytes(32) : secret),
      },
      // The types of did-jwt allow only the typ JWT, but it signs any header.
      { alg: 'ES256K', typ: 'oauth-authz-req+jwt' as 'JWT', kid, ...behaviour.header },
    )
  }

  async function answer(request: IncomingMessage): Promise<[number, string, string]> {
    const path = (request.url ?? '').split('?')[0]
    verifier.requests.push(`${request.method} ${path}`)
    if (path === '/request') {
      return [200, 'application/oauth-authz-req+jwt', await signedRequest()]
    }
    if (path === '/response') {
      verifier.forms.push(new URLSearchParams(await text(request)))
      return [behaviour.status ?? 200, 'application/json', behaviour.answer ?? '']
    }
    if (path === `/api/v1/identifiers/${encodeURIComponent(did)}`) {
      const found = { ...document, assertionMethod: [], authentication: [kid] }
      return [200, 'application/did+ld+json', JSON.stringify(found)]
    }
    return [404, 'application/json', '{}']
  }

  const server = createServer(async (request, response) => {
    const [status, contentType, body] = await answer(request)
    response.writeHead(status, { 'content-type': contentType }).end(body)
  })
  baseUrl = await listenForTest(server)

  const verifier: VerifierCounterpart = {
    baseUrl,
    did,
    nonce,
    state,
    forms: [],
    requests: [],
    link: () =>
      `openid4vp://?${new URLSearchParams({ client_id: did, request_uri: `${baseUrl}/request` })}`,
    linkByValue: (clientId = baseUrl) => {
      const values = { ...parameters(), client_id: clientId }
      const texts = Object.entries(values)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
      return `openid4vp://?${new URLSearchParams(texts as [string, string][])}`
    },
  }
  return verifier
}

/** The responses of a verifier without verification; `session` counts from 0, `asked` from 1. */
export interface PretendedVerifier {
  /** To a post: a status, or no response, with an open or a closed connection. */
  readonly answer?: (
    session: number,
    form: URLSearchParams,
  ) => number | 'hang' | 'close' | { readonly redirect_uri: string }
  /** To a request for the state: a state, or an HTTP status. */
  readonly state?: (session: number, asked: number) => string | number
  /** The page of a session, in HTML. */
  readonly page?: (link: string) => string | Promise<string>
}

/**
 * A minimal verifier that a test controls: `/sessions` begins a session, `/page` shows it,
 * `/states/N` returns its state.
 */
export async function startPretendedVerifier({
  answer = () => 200,
  state = () => 'FAILED',
  page = (link) => `<a href="${link}">Open</a>`,
}: PretendedVerifier) {
  let sessions = 0
  const asked = new Map<number, number>()
  const requests: string[] = []
  const linkTo = (session: number) =>
    createAuthorizationRequestUri({
      response_type: 'vp_token',
      response_mode: 'direct_post',
      client_id: 'did:web:pretended.example',
      response_uri: `${baseUrl}/responses/${session}`,
      nonce: `nonce ${session}`,
      dcql_query: createDcqlQuery({
        id: 'x',
        types: ['OrgPortalLearCredential'],
        claims: ['$.vc.credentialSubject.mandate.mandatee.email'],
      }),
    })
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    const [, what = '', id] = (request.url ?? '').split('/')
    const session = Number(id)
    requests.push(`${request.method} /${what}`)
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (what === 'sessions') json(201, { id: sessions, link: linkTo(sessions++) })
    else if (what === 'page') {
      response.end(`<body data-session="${sessions}">${await page(linkTo(sessions++))}</body>`)
    } else if (what === 'responses') {
      const answered = answer(session, form)
      if (answered === 'hang') return
      if (answered === 'close') return void request.socket.destroy()
      json(typeof answered === 'number' ? answered : 200, answered)
    } else {
      asked.set(session, (asked.get(session) ?? 0) + 1)
      const found = state(session, asked.get(session) ?? 0)
      json(typeof found === 'number' ? found : 200, { status: found })
    }
  })
  const baseUrl = await listenOn(server)
  return {
    baseUrl,
    requests,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
