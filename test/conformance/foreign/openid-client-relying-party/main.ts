// Express with openid-client, written like the quick start of openid-client: `node main.ts --port N`,
// with the provider and the client in the environment.
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import express, { type Request, type Response } from 'express'
import * as client from 'openid-client'

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
const own = `http://127.0.0.1:${values.port}`
const { TESTBED_ISSUER = '', TESTBED_CLIENT_ID = '', TESTBED_CLIENT_SECRET = '' } = process.env

const config = await client.discovery(
  new URL(TESTBED_ISSUER),
  TESTBED_CLIENT_ID,
  TESTBED_CLIENT_SECRET,
  undefined,
  // The library refuses http otherwise; a test runs on loopback addresses.
  { execute: [client.allowInsecureRequests] },
)

// Glue: sessions in memory, each with a cookie.
interface Session {
  readonly login?: {
    readonly state: string
    readonly nonce: string
    readonly pkceCodeVerifier: string
  }
  readonly user?: client.UserInfoResponse
}
const sessions = new Map<string, Session>()
const sessionIdOf = ({ headers }: Request): string =>
  /(?:^|; )session=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? ''

function beginSession(response: Response, session: Session): void {
  const id = randomUUID()
  sessions.set(id, session)
  response.cookie('session', id, { httpOnly: true, sameSite: 'lax' })
}

const app = express()

app.get('/', (request, response) => {
  const user = sessions.get(sessionIdOf(request))?.user
  if (user) response.json(user)
  else response.send('<!doctype html><title>Home</title><a href="/login">Log in</a>')
})

app.get('/login', async (_request, response) => {
  const state = client.randomState()
  const nonce = client.randomNonce()
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const location = client.buildAuthorizationUrl(config, {
    redirect_uri: `${own}/callback`,
    scope: 'openid profile email',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  beginSession(response, { login: { state, nonce, pkceCodeVerifier } })
  response.redirect(location.href)
})

app.get('/callback', async (request, response) => {
  const login = sessions.get(sessionIdOf(request))?.login
  if (!login) {
    response.status(400).send('No login was started in this browser.')
    return
  }
  sessions.delete(sessionIdOf(request))
  const tokens = await client.authorizationCodeGrant(config, new URL(request.url, own), {
    expectedState: login.state,
    expectedNonce: login.nonce,
    pkceCodeVerifier: login.pkceCodeVerifier,
    idTokenExpected: true,
  })
  const { sub = '' } = tokens.claims() ?? {}
  const user = await client.fetchUserInfo(config, tokens.access_token, sub)
  beginSession(response, { user })
  response.redirect('/')
})

app.listen(Number(values.port), '127.0.0.1')
