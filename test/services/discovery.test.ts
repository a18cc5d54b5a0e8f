import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'
import { linkOf, relyingParty, startLoginSystem } from '#test/support/login-system.ts'
import { password, portal, startTokenIssuer } from '#test/support/token-issuer.ts'

interface Document {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly jwks_uri: string
  readonly end_session_endpoint?: string
  readonly userinfo_endpoint?: string
  readonly scopes_supported: string[]
  readonly response_types_supported: string[]
  readonly response_modes_supported: string[]
  readonly token_endpoint_auth_methods_supported: string[]
  readonly claims_supported: string[]
  readonly [member: string]: unknown
}

interface Client {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}

type Parameters = Readonly<Record<string, string>>
type Browser = ReturnType<typeof createHttpBrowser>

/** An OpenID provider, one of its clients, and a user who logs in on its page. */
interface Started {
  readonly baseUrl: string
  readonly client: Client
  readonly signIn: (browser: Browser, page: HttpPage) => Promise<HttpPage>
}

async function startIdp(): Promise<Started> {
  const { baseUrl, present } = await startLoginSystem()
  return {
    baseUrl,
    client: relyingParty,
    async signIn(browser, page) {
      await present(linkOf(page))
      return browser.get(page.url)
    },
  }
}

async function startTokens(): Promise<Started> {
  const { baseUrl } = await startTokenIssuer()
  return {
    baseUrl,
    client: portal,
    signIn: (browser, page) => browser.submit(page.url, { username: 'ana', password }),
  }
}

async function createRelyingParty(start: () => Promise<Started>) {
  const { baseUrl, client, signIn } = await start()
  const response = await fetch(`${baseUrl}/.well-known/openid-configuration`)
  const document = (await response.json()) as Document
  const { clientId, clientSecret, redirectUri } = client

  const open = (browser: Browser, parameters: Parameters, method: string): Promise<HttpPage> => {
    const query = {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: document.scopes_supported.join(' '),
      state: 'a state',
      nonce: 'a nonce',
      ...parameters,
    }
    const url = document.authorization_endpoint
    if (method === 'POST') return browser.submit(url, query)
    return browser.get(`${url}?${new URLSearchParams(query)}`)
  }
  const authorize = async (parameters: Parameters = {}, method = 'GET'): Promise<HttpPage> => {
    const browser = createHttpBrowser([redirectUri])
    const page = await open(browser, parameters, method)
    return page.status === 200 ? signIn(browser, page) : page
  }
  const redeem = (code: string, authentication: 'basic' | 'post' | 'none', more: Parameters = {}) =>
    fetch(document.token_endpoint, {
      method: 'POST',
      headers:
        authentication === 'basic'
          ? {
              authorization: `Basic ${btoa([clientId, clientSecret].map(encodeURIComponent).join(':'))}`,
            }
          : {},
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        ...(authentication === 'basic' ? {} : { client_id: clientId }),
        ...(authentication === 'post' ? { client_secret: clientSecret } : {}),
        ...more,
      }),
    })
  const logIn = async (parameters: Parameters = {}) => {
    const answer = await redeem(answerOf(await authorize(parameters)).code ?? '', 'basic')
    expect(answer.status).toBe(200)
    return (await answer.json()) as { id_token: string; access_token: string; scope: string }
  }
  return { baseUrl, document, client, authorize, redeem, logIn }
}

/** The parameters of an authorization response, from the query, the fragment or a form. */
function answerOf({ url, text }: HttpPage): Partial<Record<string, string>> {
  const form = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"\/>/g)]
  const { search, hash } = new URL(url)
  const encoded = new URLSearchParams(hash === '' ? search : hash.slice(1))
  return Object.fromEntries([...encoded, ...form.map(([, name, value]) => [name, value])])
}

const common = [
  'authorization_endpoint',
  'authorization_response_iss_parameter_supported',
  'claim_types_supported',
  'claims_parameter_supported',
  'claims_supported',
  'code_challenge_methods_supported',
  'grant_types_supported',
  'id_token_signing_alg_values_supported',
  'issuer',
  'jwks_uri',
  'request_parameter_supported',
  'request_uri_parameter_supported',
  'response_modes_supported',
  'response_types_supported',
  'scopes_supported',
  'subject_types_supported',
  'token_endpoint',
  'token_endpoint_auth_methods_supported',
]

describe.each([
  { name: 'the IDP', start: startIdp, more: ['userinfo_endpoint'] },
  { name: 'the token issuer', start: startTokens, more: ['end_session_endpoint'] },
])('the discovery document of $name', async ({ start, more }) => {
  const { baseUrl, document, client, authorize, redeem, logIn } = await createRelyingParty(start)

  it('has exactly the members that these tests compare with behaviour', async () => {
    expect(Object.keys(document).sort()).toEqual([...common, ...more].sort())
    expect(document.issuer).toBe(baseUrl)
    const other = await fetch(`${baseUrl}/.well-known/oauth-authorization-server`)
    expect(await other.json()).toEqual(document)
  })

  it('announces endpoints that exist', async () => {
    const endpoints = Object.entries(document).filter(([name]) =>
      /_endpoint$|^jwks_uri$/.test(name),
    )
    for (const [name, url] of endpoints) {
      const method = name === 'token_endpoint' ? 'POST' : 'GET'
      const { status } = await fetch(String(url), { method, redirect: 'manual' })
      expect([name, status]).not.toEqual([name, expect.toSatisfy((s) => [404, 405].includes(s))])
      expect(status).toBeLessThan(500)
    }
  })

  it('announces endpoints that name their methods if they are sent another one', async () => {
    for (const [name, method, allow] of [
      ['token_endpoint', 'GET', 'POST'],
      ['jwks_uri', 'POST', 'GET, HEAD'],
      ['authorization_endpoint', 'DELETE', 'GET, HEAD, POST'],
    ] as const) {
      const answer = await fetch(String(document[name]), { method })
      const { error } = (await answer.json()) as { error?: unknown }
      const found = [name, answer.status, answer.headers.get('allow'), error]
      expect(found).toEqual([name, 405, allow, 'method_not_allowed'])
    }
  })

  it('announces exactly the authentication methods that a client can use', async () => {
    expect(document.token_endpoint_auth_methods_supported).toEqual([
      'client_secret_basic',
      'client_secret_post',
    ])
    for (const authentication of ['basic', 'post'] as const) {
      const { code = '' } = answerOf(await authorize())
      expect([authentication, (await redeem(code, authentication)).status]).toEqual([
        authentication,
        200,
      ])
    }
    const { code = '' } = answerOf(await authorize())
    expect((await redeem(code, 'none')).status).toBe(401)
    const assertion = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: 'e30.e30.x',
    }
    expect((await redeem(code, 'none', assertion)).status).toBe(401)
  })

  it('announces the response type and the response modes that work', async () => {
    expect(document.response_types_supported).toEqual(['code'])
    expect([...document.response_modes_supported].sort()).toEqual([
      'form_post',
      'fragment',
      'query',
    ])
    for (const mode of document.response_modes_supported) {
      const page = await authorize({ response_mode: mode })
      const { code = '', state, iss } = answerOf(page)
      const { search, hash } = new URL(page.url)
      const used = page.status === 200 ? 'form_post' : hash !== '' ? 'fragment' : search && 'query'
      expect([mode, state, iss]).toEqual([used, 'a state', document.issuer])
      expect([mode, (await redeem(code, 'basic')).status]).toEqual([mode, 200])
    }
    for (const [name, value] of [
      ['response_type', 'id_token'],
      ['response_type', 'code id_token'],
      ['response_mode', 'query.jwt'],
      ['response_mode', 'web_message'],
    ] as const) {
      const page = await authorize({ [name]: value })
      expect(answerOf(page).code).toBeUndefined()
      expect(page.text + page.url).toMatch(
        /unsupported_response|unauthorized_client|invalid_request/,
      )
    }
  })

  it('announces the code flow with S256, RS256 and public subjects', async () => {
    expect(document).toMatchObject({
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['RS256'],
      subject_types_supported: ['public'],
    })
    // RFC 7636, appendix B.
    const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
    const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    const page = await authorize({ code_challenge, code_challenge_method: 'S256' })
    const { code = '' } = answerOf(page)
    expect((await redeem(code, 'basic', { code_verifier })).status).toBe(200)
    const plain = { code_challenge: code_verifier, code_challenge_method: 'plain' }
    expect(answerOf(await authorize(plain)).error).toBe('invalid_request')
    const other = { grant_type: 'client_credentials' }
    expect(await (await redeem('', 'basic', other)).json()).toMatchObject({
      error: 'unsupported_grant_type',
    })
    const first = (await logIn()).id_token
    expect(decodeProtectedHeader(first).alg).toBe('RS256')
    expect(decodeJwt((await logIn()).id_token).sub).toBe(decodeJwt(first).sub)
  })

  it('announces the scopes that are granted', async () => {
    const { scope } = await logIn()
    expect(scope.split(' ').sort()).toEqual([...document.scopes_supported].sort())
  })

  it('announces the claims that an id_token can carry', async () => {
    const { nonce: _, at_hash: __, ...claims } = decodeJwt((await logIn()).id_token)
    expect([...document.claims_supported].sort()).toEqual(Object.keys(claims).sort())
    expect(document.claim_types_supported).toEqual(['normal'])
  })

  it('announces none of the parameters that are not supported', async () => {
    expect(document).toMatchObject({
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    })
    expect(answerOf(await authorize({ request: 'e30.e30.' })).error).toBe('request_not_supported')
    const request_uri = 'https://client.example/request'
    expect(answerOf(await authorize({ request_uri })).error).toBe('request_uri_not_supported')
    const claims = JSON.stringify({ id_token: { auth_time: { essential: true } } })
    expect(decodeJwt((await logIn({ claims })).id_token)).not.toHaveProperty('auth_time')
  })

  it('announces no authentication context, and tokens do not contain one (A-56)', async () => {
    expect(document).not.toHaveProperty('acr_values_supported')
    const { id_token, access_token } = await logIn({ acr_values: 'urn:high' })
    for (const token of [id_token, access_token]) {
      expect(decodeJwt(token)).not.toHaveProperty('acr')
      expect(decodeJwt(token)).not.toHaveProperty('email_verified')
    }
  })

  it('has an authorization endpoint for both GET and POST', async () => {
    const { code = '', state } = answerOf(await authorize({}, 'POST'))
    expect(state).toBe('a state')
    expect((await redeem(code, 'basic')).status).toBe(200)
    const refused = await authorize({ client_id: 'unknown' }, 'POST')
    expect([refused.status, refused.text.includes('invalid_client')]).toEqual([400, true])
    const twice = `client_id=${client.clientId}&client_id=${client.clientId}&scope=openid`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const post = (body: string) =>
      fetch(document.authorization_endpoint, { method: 'POST', headers, body })
    expect((await post(twice)).status).toBe(400)
    expect((await post(`state=${'x'.repeat(9000)}`)).status).toBe(413)
  })
})
