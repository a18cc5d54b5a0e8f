// A relying party made of openid-client and node:http. `node main.ts --port N --issuer URL --client-id ID
// --client-secret SECRET --redirect-uri URL` prints the address to log in at. What reaches the
// redirect_uri has to reach that port too; the answer there is the claims as JSON.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import * as client from 'openid-client'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    issuer: { type: 'string', default: '' },
    'client-id': { type: 'string', default: '' },
    'client-secret': { type: 'string', default: '' },
    'redirect-uri': { type: 'string', default: '' },
    scope: { type: 'string', default: 'openid profile email openid-vp-lear' },
  },
})
const redirectUri = new URL(values['redirect-uri'])

interface Login {
  readonly nonce: string
  readonly pkceCodeVerifier: string
}
const logins = new Map<string, Login>()

const config = await client.discovery(
  new URL(values.issuer),
  values['client-id'],
  values['client-secret'],
  // By default a secret goes into the form; the registration at an IDP says which.
  client.ClientSecretBasic(values['client-secret']),
  // The library refuses http otherwise; a test runs on loopback addresses.
  { execute: [client.allowInsecureRequests] },
)

async function begin(): Promise<URL> {
  const state = client.randomState()
  const nonce = client.randomNonce()
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  logins.set(state, { nonce, pkceCodeVerifier })
  return client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri.href,
    scope: values.scope,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
}

/** openid-client verifies state, nonce, iss, aud, exp and the signature of the id_token. */
async function complete(callback: URL) {
  const state = callback.searchParams.get('state') ?? ''
  const login = logins.get(state)
  if (!login) throw new Error('no login with this state')
  logins.delete(state)
  const tokens = await client.authorizationCodeGrant(config, callback, {
    expectedState: state,
    expectedNonce: login.nonce,
    pkceCodeVerifier: login.pkceCodeVerifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  const userInfo = await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '')
  return { claims, userInfo }
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', redirectUri)
  try {
    if (url.pathname === '/login') {
      const { href: location } = await begin()
      response.writeHead(302, { location }).end()
    } else if (url.pathname === redirectUri.pathname) {
      const body = JSON.stringify(await complete(url))
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    } else {
      response.writeHead(404).end()
    }
  } catch (error) {
    const body = error instanceof Error ? { error: error.name, message: error.message } : {}
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
})
server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/login`)
})
