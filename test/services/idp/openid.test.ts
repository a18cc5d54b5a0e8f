import { describe, expect, it } from 'vitest'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import {
  type LoginSystem,
  linkOf,
  otherParty,
  relyingParty,
  startLoginSystem,
} from '#test/support/login-system.ts'

/** The token endpoint without any client library. */
async function requestTokens(
  { baseUrl }: LoginSystem,
  form: Record<string, string>,
  { clientId, clientSecret } = relyingParty as { clientId: string; clientSecret: string },
) {
  const response = await fetch(`${baseUrl}/accounts/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`,
    },
    body: new URLSearchParams(form),
  })
  const body = (await response.json()) as Record<string, string>
  return { status: response.status, error: body.error, body, headers: response.headers }
}

/** A code that the relying party received, without PKCE so that only the code matters. */
async function obtainCode(system: LoginSystem) {
  const login = await system.beginLogin()
  const url = new URL(login.url)
  url.searchParams.delete('code_challenge')
  url.searchParams.delete('code_challenge_method')
  const page = await login.browser.get(url.href)
  await system.present(linkOf(page))
  const back = await login.browser.get(page.url)
  const code = new URL(back.url).searchParams.get('code') ?? ''
  // As in the profile: client_id is in the form, even with HTTP Basic.
  const { clientId: client_id, redirectUri: redirect_uri } = relyingParty
  return { grant_type: 'authorization_code', code, redirect_uri, client_id }
}

const system = await startLoginSystem()

describe('the discovery document', () => {
  // @row 1.endpoints/credential-idp.3 1.endpoints/credential-idp.11
  it('has the fields and values of the profile (O01)', async () => {
    const { baseUrl } = await startLoginSystem()
    const response = await fetch(`${baseUrl}/.well-known/openid-configuration`)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toMatchObject({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/accounts/authorize`,
      token_endpoint: `${baseUrl}/accounts/token`,
      userinfo_endpoint: `${baseUrl}/accounts/userinfo`,
      jwks_uri: `${baseUrl}/accounts/jwks`,
      scopes_supported: ['openid', 'profile', 'email', 'openid-vp-lear'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      id_token_signing_alg_values_supported: ['RS256'],
    })
  })

  it('does not depend on the host in the request', async () => {
    const { baseUrl } = await startLoginSystem()
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const response = await fetch(`${baseUrl}/.well-known/openid-configuration`, { headers })
    expect(JSON.stringify(await response.json())).not.toContain('evil.example')
  })
})

describe('the authorization endpoint', () => {
  const authorize = async (system: LoginSystem, change: Record<string, string | undefined>) => {
    const login = await system.beginLogin()
    const url = new URL(login.url)
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    }
    return login.browser.get(url.href)
  }

  // @row 1.endpoints/credential-idp.12..14
  it.each([
    ['O03 a redirect_uri with a query', { redirect_uri: `${relyingParty.redirectUri}?x=1` }],
    ["O03 another client's redirect_uri", { redirect_uri: otherParty.redirectUri }],
    ['O03 no redirect_uri', { redirect_uri: undefined }],
    ['O04 no client', { client_id: undefined }],
  ])('%s never redirects', async (_name, change) => {
    const page = await authorize(system, change)
    expect(page.status).toBe(400)
    expect(page.visited).toHaveLength(1)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  // @row 1.endpoints/credential-idp.15 1.endpoints/credential-idp.16
  it.each([
    ['O05 response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['O05 response_type id_token', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['O05 no response_type', { response_type: undefined }, 'invalid_request'],
    ['no scope', { scope: undefined }, 'invalid_request'],
    ['no scope and no nonce', { scope: undefined, nonce: undefined }, 'invalid_request'],
    ['an empty scope', { scope: '', nonce: undefined }, 'invalid_request'],
    ['a scope without openid', { scope: 'profile', nonce: undefined }, 'invalid_scope'],
    ['a scope with OPENID', { scope: 'OPENID profile', nonce: undefined }, 'invalid_scope'],
    ['O17 PKCE with plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ])('%s is returned as an error', async (_name, change, error) => {
    const page = await authorize(system, change)
    const url = new URL(page.url)
    expect(page.url).toMatch(relyingParty.redirectUri)
    const answer = new URLSearchParams(url.search || url.hash.slice(1))
    expect(answer.get('error')).toBe(error)
    // O14
    expect(answer.get('state')).toEqual(expect.any(String))
  })
})

describe('the token endpoint', () => {
  it('revokes the tokens of a code that is used again (O06)', async () => {
    const form = await obtainCode(system)
    const first = await requestTokens(system, form)
    expect(first.status).toBe(200)
    expect(first.headers.get('cache-control')).toContain('no-store')
    const again = await requestTokens(system, form)
    expect([again.status, again.error]).toEqual([400, 'invalid_grant'])
    const bearer = { authorization: `Bearer ${first.body.access_token}` }
    const userinfo = await fetch(`${system.baseUrl}/accounts/userinfo`, { headers: bearer })
    expect(userinfo.status).toBe(401)
    const refreshed = await requestTokens(system, {
      grant_type: 'refresh_token',
      refresh_token: first.body.refresh_token ?? '',
    })
    expect([refreshed.status, refreshed.error]).toEqual([400, 'invalid_grant'])
  })

  it('redeems a code once for simultaneous requests (O06)', async () => {
    const form = await obtainCode(system)
    const answers = await Promise.all([1, 2, 3, 4].map(() => requestTokens(system, form)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
    // An attacker may have sent one of them, so the issued tokens are no longer valid.
    for (const { body } of answers.filter(({ status }) => status === 200)) {
      const headers = { authorization: `Bearer ${body.access_token}` }
      expect((await fetch(`${system.baseUrl}/accounts/userinfo`, { headers })).status).toBe(401)
      const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' }
      expect((await requestTokens(system, refresh)).error).toBe('invalid_grant')
    }
  })

  // @row 1.errors.8 1.endpoints/credential-idp.5 1.endpoints/credential-idp.19
  it.each([
    ['no redirect_uri', { redirect_uri: '' }, 400, 'invalid_request'],
    ['no code', { code: '' }, 400, 'invalid_request'],
    ['no grant type', { grant_type: '' }, 400, 'invalid_request'],
    ["another client's client_id", { client_id: otherParty.clientId }, 400, 'invalid_request'],
    ['an unknown client', {}, 401, 'invalid_client', 'nobody'],
  ] as const)('rejects %s', async (_name, change, status, error, clientId?: string) => {
    const form = await obtainCode(system)
    const party = { ...relyingParty, ...(clientId && { clientId }) }
    const answer = await requestTokens(
      system,
      { ...form, client_id: party.clientId, ...change },
      party,
    )
    expect([answer.status, answer.error]).toEqual([status, error])
    expect(answer.body.access_token).toBeUndefined()
  })

  it('accepts several spaces after the scheme of the Basic header', async () => {
    const { clientId, clientSecret } = relyingParty
    const response = await fetch(`${system.baseUrl}/accounts/token`, {
      method: 'POST',
      headers: { authorization: `Basic   ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams(await obtainCode(system)),
    })
    expect(response.status).toBe(200)
  })

  it.each(['', '/'])(
    'answers with JSON if Accept prefers HTML, with %j at the end',
    async (end) => {
      const response = await fetch(`${system.baseUrl}/accounts/token${end}`, {
        method: 'POST',
        headers: { accept: 'text/html, image/gif, image/jpeg, */*; q=0.2' },
        body: new URLSearchParams({ grant_type: 'authorization_code', code: 'x' }),
      })
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      expect(await response.json()).toMatchObject({ error: expect.any(String) })
    },
  )

  it('says why it rejects a code or a client', async () => {
    const form = await obtainCode(system)
    const reasonFor = async (change: Record<string, string>, party = relyingParty) =>
      (await requestTokens(system, { ...form, ...change }, party)).body.error_description
    expect(await reasonFor({ redirect_uri: 'https://rp.example/' })).toContain('redirect_uri')
    expect(await reasonFor({ code: 'x' })).toContain('not found')
    // The same text for both, so that it does not reveal which clients exist.
    const wrong = await reasonFor({}, { ...relyingParty, clientSecret: 'wrong' })
    expect(wrong).toContain('client_secret')
    const client_id = 'nobody'
    expect(await reasonFor({ client_id }, { ...relyingParty, clientId: client_id })).toBe(wrong)
    expect(await reasonFor({})).toBeUndefined()
    expect(await reasonFor({})).toContain('already consumed')
  })
})

describe('OPTIONS', () => {
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${system.baseUrl}${path}`, { method: 'OPTIONS', headers })

  it.each([
    ['/accounts/authorize', 'GET, HEAD, POST'],
    ['/accounts/token', 'POST'],
    ['/accounts/jwks', 'GET, HEAD'],
  ])('at %s is refused like any other method', async (path, allowed) => {
    const response = await ask(path)
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed])
    expect(await response.json()).toMatchObject({ error: 'method_not_allowed' })
  })

  it('answers a preflight only where pages of other origins may call', async () => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
    }
    const statuses = ['/accounts/token', '/accounts/jwks', '/accounts/authorize'].map(
      async (path) => (await ask(path, headers)).status,
    )
    expect(await Promise.all(statuses)).toEqual([204, 204, 405])
  })
})

describe('userinfo', () => {
  const ask = async ({ baseUrl }: LoginSystem, headers: Record<string, string>, method = 'GET') => {
    const response = await fetch(`${baseUrl}/accounts/userinfo`, { headers, method })
    return [response.status, response.headers.get('www-authenticate')]
  }

  // @row 1.endpoints/credential-idp.6 1.authentication.4
  it('accepts only an access token of this provider (O12, O13)', async () => {
    const { finish } = await system.logIn()
    const tokens = await finish()
    const good = tokens.access_token
    const [header, payload, signature = ''] = good.split('.')
    const changed = Buffer.from(
      JSON.stringify({
        ...JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()),
        sub: 'x',
      }),
    ).toString('base64url')
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
    expect(await ask(system, { authorization: `Bearer ${good}` })).toEqual([200, null])
    expect(await ask(system, { authorization: `Bearer  ${good}` })).toEqual([200, null])
    expect(await ask(system, { authorization: `Bearer ${good}` }, 'POST')).toEqual([200, null])
    expect(await ask(system, {})).toEqual([401, 'Bearer'])
    for (const token of [
      tokens.id_token,
      tokens.refresh_token,
      `${header}.${changed}.${signature}`,
      `${none}.${payload}.`,
      'x',
      `${good} ${good}`,
    ]) {
      expect(await ask(system, { authorization: `Bearer ${token}` })).toEqual([
        401,
        'Bearer error="invalid_token"',
      ])
    }
    expect((await ask(system, { authorization: `Basic ${good}` }))[0]).toBe(401)
  })

  it('ignores a token in the address', async () => {
    const { finish } = await system.logIn()
    const { access_token: token } = await finish()
    const response = await fetch(`${system.baseUrl}/accounts/userinfo?access_token=${token}`)
    expect(response.status).toBe(401)
  })
})

describe('the status of a session', () => {
  // @row 1.endpoints/credential-idp.8 1.authentication.5
  it('is the same 404 for every unknown or malformed session (O16)', async () => {
    const { baseUrl } = await startLoginSystem()
    const queries = [
      '?session=',
      '?session=unknown',
      `?session=${'x'.repeat(5000)}`,
      '?session=a&session=b',
      "?session='%20or%201=1",
    ]
    const answers = await Promise.all(
      queries.map(async (query) => {
        const response = await fetch(`${baseUrl}/idp/api/auth/requests${query}`)
        return [response.status, await response.text()]
      }),
    )
    expect(new Set(answers.map(([, text]) => text)).size).toBe(1)
    expect(answers.map(([status]) => status)).toEqual(queries.map(() => 404))
  })

  it('is 400 without a session', async () => {
    const response = await fetch(`${system.baseUrl}/idp/api/auth/requests`)
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'The parameter session is missing.' },
    ])
  })
})

describe('only the browser that began a login completes it (A-31)', () => {
  it('even if another browser has page, session and link', async () => {
    const { login: victim, page } = await system.openLogin()
    await system.present(linkOf(page))
    const stranger = createHttpBrowser(['http://127.0.0.1:9/'])
    for (const path of ['', '/return', '/return?response_code=x']) {
      const seen = await stranger.get(`${page.url}${path}`)
      expect(seen.url.startsWith(system.baseUrl)).toBe(true)
      expect(seen.text).not.toContain('data-state')
    }
    for (const path of ['/renew', '/cancel']) {
      expect((await stranger.submit(`${page.url}${path}`, {})).status).toBe(400)
    }
    // A login of the other browser has no effect on this one.
    const own = await system.beginLogin({ browser: stranger })
    await stranger.get(own.url)
    expect((await stranger.get(page.url)).status).toBe(400)
    const back = await victim.browser.get(page.url)
    expect((await victim.finish(back.url)).claims()?.organization).toBe('First Organization')
  })

  it('and only it shows why a login failed', async () => {
    const { login, page } = await system.openLogin()
    await system.present(linkOf(page), { form: { state: 'x' } })
    expect((await login.browser.get(page.url)).text).toContain('response.state')
    expect((await createHttpBrowser().get(page.url)).text).not.toContain('response.state')
  })
})
