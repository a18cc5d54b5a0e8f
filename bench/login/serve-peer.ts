// The peer's side of the login measurement, in a separate process.

import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createQrPng } from '#core/qr/qr-code.ts'
import { createMemoryStore, openSqliteStore, type PeerStore } from '../peer-database.ts'
import { publicKeyOf, verifyToken } from '../peer-tokens.ts'
import { type LoginSetup, serveLogin } from './login-system.ts'
import { createPeerProvider, type PeerCredential } from './peer-provider.ts'
import {
  createPeerVerifier,
  type PeerVerifier,
  verifyKnownIssuer,
  verifyTrust,
} from './peer-verifier.ts'

interface Session {
  readonly uid: string
  readonly request: ReturnType<PeerVerifier['createRequest']>
  readonly status: 'PENDING' | 'SUCCESS'
}

/** A request of the provider's side for a presentation, and the result of the verifier's side. */
interface Result {
  readonly uid: string
  readonly credential: PeerCredential
}

const random = () => randomBytes(16).toString('base64url')
const apiKey = 'an api key of the peer'

async function listen(app: express.Express): Promise<string> {
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Routes between the two sides, for callers with the API key. */
function serveInternally(app: express.Express, path: string, answer: (body: never) => object) {
  app.post(path, express.json(), (request, response) => {
    if (request.get('x-api-key') === apiKey) response.json(answer(request.body as never))
    else response.status(401).end()
  })
}

async function callInternally<T>(url: string, body: object): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.json()) as T
}

/** oid4vc-ts behind Express: sessions, signed requests at an address, presentations. */
async function startPeerVerifier(
  setup: LoginSetup,
  store: PeerStore,
  report: (result: Result) => Promise<unknown>,
) {
  const app = express()
  const baseUrl = await listen(app)
  const verifier = createPeerVerifier(setup)
  const find = (id: string): Session => {
    const session = store.find<Session>('session', id)
    if (!session) throw new Error('unknown session')
    return session
  }
  const verifyCredential = (credential: string, holderDid: string) =>
    setup.isLean
      ? verifyKnownIssuer<PeerCredential>(credential, holderDid, setup.issuerDocument)
      : verifyTrust<PeerCredential>(credential, holderDid, setup.trustUrl)

  const open = ({ uid }: { readonly uid: string }) => {
    const id = random()
    const responseUri = `${baseUrl}/response/${id}`
    const request = verifier.createRequest({ responseUri, nonce: random(), state: random() })
    store.put('session', id, { uid, request, status: 'PENDING' } satisfies Session)
    const requestUri = encodeURIComponent(`${baseUrl}/request/${id}`)
    const client = encodeURIComponent(verifier.clientId)
    return { id, link: `openid4vp://?client_id=${client}&request_uri=${requestUri}` }
  }
  serveInternally(app, '/sessions', open)
  app.get('/request/:id', async ({ params: { id } }, response) => {
    const jwt = await verifier.signRequest(find(id).request, `${baseUrl}/request/${id}`)
    response.type('application/oauth-authz-req+jwt').send(jwt)
  })
  app.post('/response/:id', express.urlencoded({ extended: false }), async (request, response) => {
    const id = request.params.id ?? ''
    const session = find(id)
    const found = await verifier.verifyResponse(request.body, session.request)
    const credential = await verifyCredential(found.credential, found.holderDid)
    store.put('session', id, { ...session, status: 'SUCCESS' } satisfies Session)
    await report({ uid: session.uid, credential })
    response.json({})
  })
  return { baseUrl, open }
}

/**
 * What a developer would build from oidc-provider and oid4vc-ts for the same login: the code flow
 * with JWT access tokens, a page with a QR code, a signed request at an address, the presentation,
 * the same lookups in DID registry, TIR and status list, a status to poll, userinfo; provider and
 * verifier with separate databases and API keys between them. It does less than our IDP:
 * no explanations, and no rules beyond signatures and trust. The lean one keeps everything in
 * memory, calls the verifier directly, and knows the issuer's document. Returns its address.
 */
async function startPeerLogin(setup: LoginSetup): Promise<string> {
  const { client, folder, isLean } = setup
  const openStore = (name: string) =>
    isLean ? createMemoryStore() : openSqliteStore(`${folder}/${name}.sqlite`)
  const accounts = openStore('accounts')
  const app = express()
  const baseUrl = await listen(app)
  const keep = ({ uid, credential }: Result) => {
    accounts.put('account', uid, credential)
    return {}
  }
  const verifier = await startPeerVerifier(setup, openStore('verifier'), async (result) =>
    isLean ? keep(result) : callInternally(`${baseUrl}/results`, result),
  )
  const openSession = async (uid: string): Promise<ReturnType<typeof verifier.open>> =>
    isLean ? verifier.open({ uid }) : callInternally(`${verifier.baseUrl}/sessions`, { uid })

  const { provider, publicKey, claimsOf } = await createPeerProvider({
    issuer: baseUrl,
    client,
    accountOf: (uid) => accounts.find<PeerCredential>('account', uid),
    ...(!isLean && { databasePath: `${folder}/provider.sqlite` }),
  })
  const accessTokenKey = publicKeyOf(publicKey)

  serveInternally(app, '/results', keep)
  app.get('/interaction/:uid', async (request, response) => {
    const { uid } = await provider.interactionDetails(request, response)
    if (accounts.find('account', uid) !== undefined) {
      const result = { login: { accountId: uid }, consent: {} }
      return provider.interactionFinished(request, response, result)
    }
    const { link } = await openSession(uid)
    const png = Buffer.from(createQrPng(link)).toString('base64')
    response.type('html').send(`<!doctype html><title>Log in</title>
<img src="data:image/png;base64,${png}" alt="QR code" data-session="${uid}">
<a id="link" href="${link.replaceAll('&', '&amp;')}">Open the wallet</a>`)
  })
  app.get('/status/:uid', ({ params: { uid } }, response) => {
    const isDone = accounts.find('account', uid) !== undefined
    response.json({ status: isDone ? 'SUCCESS' : 'PENDING' })
  })
  app.get('/userinfo', (request, response) => {
    const jwt = request.get('authorization')?.slice('Bearer '.length) ?? ''
    const { header, payload } = verifyToken(jwt, accessTokenKey)
    const { iss, aud, exp, sub } = payload
    if (header.typ !== 'at+jwt' || iss !== baseUrl || aud !== baseUrl) {
      throw new Error('not an access token of this provider')
    }
    if (Number(exp) < Date.now() / 1000) throw new Error('expired')
    response.json(claimsOf(String(sub)))
  })
  app.use(provider.callback())

  return baseUrl
}

await serveLogin(startPeerLogin)
