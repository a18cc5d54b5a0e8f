import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAuthorizationRequestUri } from '#core/oid4vp/authorization-request.ts'
import { createDcqlQuery } from '#core/oid4vp/dcql-query.ts'

/** How a verifier answers that verifies nothing; `session` counts from 0, `asked` from 1. */
export interface PretendedVerifier {
  /** To a post: a status, or nothing at all. */
  readonly answer?: (session: number) => number | 'hang' | { readonly redirect_uri: string }
  /** To a question for the state: a state, or a status of HTTP. */
  readonly state?: (session: number, asked: number) => string | number
  /** The page of a session, in HTML. */
  readonly page?: (link: string) => string | Promise<string>
}

/**
 * A verifier in few lines that does as a test says: `/sessions` begins a session, `/page` shows one,
 * `/states/N` tells its state.
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
      dcql_query: createDcqlQuery({ id: 'x', types: ['OrgPortalLearCredential'] }),
    })
  const server = createServer(async (request, response) => {
    request.resume()
    const [, what = '', id] = (request.url ?? '').split('/')
    const session = Number(id)
    requests.push(`${request.method} /${what}`)
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (what === 'sessions') json(201, { id: sessions, link: linkTo(sessions++) })
    else if (what === 'page') {
      response.end(`<body data-session="${sessions}">${await page(linkTo(sessions++))}</body>`)
    } else if (what === 'responses') {
      const answered = answer(session)
      if (answered === 'hang') return
      json(typeof answered === 'number' ? answered : 200, answered)
    } else {
      asked.set(session, (asked.get(session) ?? 0) + 1)
      const found = state(session, asked.get(session) ?? 0)
      json(typeof found === 'number' ? found : 200, { status: found })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl,
    requests,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
