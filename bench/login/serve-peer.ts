// The peer's side of the login measurement, in a separate process.

import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { importJWK, jwtVerify } from 'jose'
import { toBuffer } from 'qrcode'
import { type LoginSetup, serveLogin } from './login-system.ts'
import { createPeerProvider, type PeerCredential } from './peer-provider.ts'
import { createPeerVerifier, type PeerVerifier, verifyWithDidJwt } from './peer-verifier.ts'

interface Session {
  readonly id: string
  readonly uid: string
  readonly request: ReturnType<PeerVerifier['createRequest']>
}

const random = () => randomBytes(16).toString('base64url')

/**
 * What a developer would build from oidc-provider and oid4vc-ts for the same login: the code flow
 * with JWT access tokens, a page with a QR code (by `qrcode`), a signed request at an address, the
 * presentation (signatures by jose and did-jwt), the same lookups in DID registry, TIR and status
 * list, a status to poll, userinfo. It does less than our IDP: no explanations, no rules beyond
 * signatures and trust, and no database for the presentations. Returns its address.
 */
async function startPeerLogin({ client, trustUrl, folder }: LoginSetup): Promise<string> {
  const app = express()
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const accounts = new Map<string, PeerCredential>()
  const sessions = new Map<string, Session>()
  const { provider, publicKey, claimsOf } = await createPeerProvider({
    issuer: baseUrl,
    client,
    accounts,
    folder,
  })
  const accessTokenKey = await importJWK(publicKey, 'RS256')
  const verifier = await createPeerVerifier()
  const find = (id: string): Session => {
    const session = sessions.get(id)
    if (!session) throw new Error('unknown session')
    return session
  }

  app.get('/interaction/:uid', async (request, response) => {
    const { uid } = await provider.interactionDetails(request, response)
    if (accounts.has(uid)) {
      const result = { login: { accountId: uid }, consent: {} }
      return provider.interactionFinished(request, response, result)
    }
    const id = random()
    const responseUri = `${baseUrl}/response/${id}`
    const asked = verifier.createRequest({ responseUri, nonce: random(), state: random() })
    sessions.set(id, { id, uid, request: asked })
    const requestUri = encodeURIComponent(`${baseUrl}/request/${id}`)
    const link = `openid4vp://?client_id=${encodeURIComponent(verifier.clientId)}&request_uri=${requestUri}`
    const png = await toBuffer(link)
    response.type('html').send(`<!doctype html><title>Log in</title>
<img src="data:image/png;base64,${png.toString('base64')}" alt="QR code" data-session="${id}">
<a id="link" href="${link.replaceAll('&', '&amp;')}">Open the wallet</a>`)
  })
  app.get('/request/:id', async ({ params: { id } }, response) => {
    const jwt = await verifier.signRequest(find(id).request, `${baseUrl}/request/${id}`)
    response.type('application/oauth-authz-req+jwt').send(jwt)
  })
  app.post('/response/:id', express.urlencoded({ extended: false }), async (request, response) => {
    const session = find(request.params.id ?? '')
    const found = await verifier.verifyResponse(request.body, session.request)
    const { credential, holderDid } = found
    accounts.set(
      session.uid,
      await verifyWithDidJwt<PeerCredential>(credential, holderDid, trustUrl),
    )
    response.json({})
  })
  app.get('/status/:id', ({ params: { id } }, response) => {
    response.json({ status: accounts.has(find(id).uid) ? 'SUCCESS' : 'PENDING' })
  })
  app.get('/userinfo', async (request, response) => {
    const token = request.get('authorization')?.slice('Bearer '.length) ?? ''
    const { payload } = await jwtVerify(token, accessTokenKey, {
      algorithms: ['RS256'],
      typ: 'at+jwt',
      issuer: baseUrl,
      audience: baseUrl,
    })
    response.json(claimsOf(String(payload.sub)))
  })
  app.use(provider.callback())

  return baseUrl
}

await serveLogin(startPeerLogin)
