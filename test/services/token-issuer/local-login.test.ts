import { createRemoteJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'
import { fetchFrom } from '#test/support/servers.ts'
import { createStandingRuntime } from '#test/support/services.ts'
import {
  audience,
  beginPortalLogin,
  openPortalLogin,
  type PortalLogin,
  password,
  portal,
  power,
  startTokenIssuer,
} from '#test/support/token-issuer.ts'

describe('logging in with a local account', async () => {
  const issuer = await startTokenIssuer()

  const signIn = async (login: PortalLogin, username = 'ana') => {
    const page = await login.browser.get(login.url)
    return login.browser.submit(page.url, { username, password })
  }

  it('ends at the portal with the claims of the scopes', async () => {
    const login = await beginPortalLogin(issuer.baseUrl)
    const { url } = await signIn(login)
    const tokens = await login.finish(url)
    expect(tokens.claims()).toMatchObject({
      iss: issuer.baseUrl,
      aud: portal.clientId,
      email: 'ana.ruiz@first.example',
      name: 'Ana Ruiz',
      given_name: 'Ana',
      preferred_username: 'ana',
      organization_identifier: 'VATES-A12345678',
      organization: 'First Organization',
      user_identifier: 'EMP-1',
      power,
    })
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
  })

  it('yields an access token with the claims for the issuer', async () => {
    const login = await beginPortalLogin(issuer.baseUrl)
    const tokens = await login.finish((await signIn(login)).url)
    const keys = createRemoteJWKSet(new URL(`${issuer.baseUrl}/jwks`))
    const { payload, protectedHeader } = await jwtVerify(tokens.access_token, keys, {
      issuer: issuer.baseUrl,
      audience,
      typ: 'at+jwt',
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'iat', 'jti', 'sub', 'client_id'],
    })
    expect(protectedHeader.alg).toBe('RS256')
    expect(payload).toMatchObject({
      organization_identifier: 'VATES-A12345678',
      organization: 'First Organization',
      user_identifier: 'EMP-1',
      email: 'ana.ruiz@first.example',
      given_name: 'Ana',
      family_name: 'Ruiz',
      name: 'Ana Ruiz',
      power,
      sub: tokens.claims()?.sub,
    })
    expect(payload.sub).not.toContain('@')
  })

  it('is remembered by the browser', async () => {
    const first = await beginPortalLogin(issuer.baseUrl)
    const { sub } = (await first.finish((await signIn(first)).url)).claims() ?? {}
    const second = await beginPortalLogin(issuer.baseUrl, { browser: first.browser })
    const page = await second.browser.get(second.url)
    expect((await second.finish(page.url)).claims()?.sub).toBe(sub)
    const anew = await beginPortalLogin(issuer.baseUrl, {
      browser: first.browser,
      parameters: { prompt: 'login' },
    })
    expect((await anew.browser.get(anew.url)).url).toContain(`${issuer.baseUrl}/login/`)
  })

  it('accepts the client secret by Basic, and no other secret', async () => {
    for (const [secret, status] of [
      [portal.clientSecret, 200],
      ['not the secret', 401],
    ] as const) {
      const login = await beginPortalLogin(issuer.baseUrl, {
        parameters: { code_challenge: '', code_challenge_method: '' },
      })
      const { url } = await signIn(login)
      const response = await fetch(`${issuer.baseUrl}/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${portal.clientId}:${encodeURIComponent(secret)}`).toString('base64')}`,
        },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: new URL(url).searchParams.get('code') ?? '',
          redirect_uri: portal.redirectUri,
        }),
      })
      expect(response.status).toBe(status)
    }
  })

  it('redeems a code once, even for simultaneous requests', async () => {
    const login = await beginPortalLogin(issuer.baseUrl)
    const { url } = await signIn(login)
    const results = await Promise.allSettled([login.finish(url), login.finish(url)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(login.finish(url)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('answers a wrong password and an unknown name in the same way', async () => {
    const alertOf = (text: string) => text.match(/role="alert">([^<]*)</)?.[1]
    const {
      login,
      page: { url },
    } = await openPortalLogin(issuer.baseUrl)
    const wrong = await login.browser.submit(url, { username: 'ana', password: 'wrong' })
    const unknown = await login.browser.submit(url, { username: 'nobody', password })
    const empty = await login.browser.submit(url, {})
    for (const page of [wrong, unknown, empty]) {
      expect(page.status).toBe(401)
      expect(page.url).toBe(url)
    }
    expect(alertOf(wrong.text)).toBeTruthy()
    expect(alertOf(unknown.text)).toBe(alertOf(wrong.text))
    // The login continues afterwards.
    const page = await login.browser.submit(url, { username: 'ana', password })
    expect(page.url).toContain(portal.redirectUri)
  })

  it('is bound to the browser that began it', async () => {
    const {
      page: { url },
    } = await openPortalLogin(issuer.baseUrl)
    const stranger = (await beginPortalLogin(issuer.baseUrl)).browser
    expect((await stranger.get(url)).status).toBe(400)
    expect((await stranger.submit(url, { username: 'ana', password })).status).toBe(400)
    // Its own open login does not give it access to this one.
    const own = await beginPortalLogin(issuer.baseUrl, { browser: stranger })
    await stranger.get(own.url)
    expect((await stranger.submit(url, { username: 'ana', password })).status).toBe(400)
  })

  it('sends cookies that scripts and other sites cannot read', async () => {
    const login = await beginPortalLogin(issuer.baseUrl)
    const response = await fetch(login.url, { redirect: 'manual' })
    const cookies = response.headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) expect(cookie).toMatch(/samesite=lax.*httponly/i)
  })
})

describe('an address that guesses passwords', () => {
  const start = async () => {
    const issuer = await startTokenIssuer(undefined, createStandingRuntime())
    const from = async (address: string) => {
      const browser = createHttpBrowser([portal.redirectUri], {}, fetchFrom(address))
      const login = await beginPortalLogin(issuer.baseUrl, { browser })
      const { url } = await browser.get(login.url)
      return (username: string, word: string) => browser.submit(url, { username, password: word })
    }
    return { issuer, from }
  }

  it('waits a minute after ten failures, even of parallel guesses', async () => {
    const { issuer, from } = await start()
    const signIn = await from('127.0.0.2')
    const guesses = await Promise.all(Array.from({ length: 15 }, (_, i) => signIn('bo', `${i}`)))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(5)
    const locked = await signIn('bo', password)
    expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, '60'])
    issuer.runtime.advance(60)
    expect((await signIn('bo', password)).url).toContain(portal.redirectUri)
  })

  it('does not lock the account out for another address', async () => {
    const { from } = await start()
    const guess = await from('127.0.0.2')
    const statuses: number[] = []
    for (let i = 0; i < 50; i++) statuses.push((await guess('ana', `guess ${i}`)).status)
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(40).fill(429)])
    const signIn = await from('127.0.0.1')
    expect((await signIn('ana', password)).url).toContain(portal.redirectUri)
    expect((await guess('ana', password)).status).toBe(429)
  })
})

const after = 'http://127.0.0.1:9/signed-out'

/** A logged-in browser, and the URL at which a logout begins. */
async function signIn() {
  const { baseUrl } = await startTokenIssuer((config) => ({
    ...config,
    clients: config.clients.map((each) => ({ ...each, postLogoutRedirectUris: [after] })),
  }))
  const browser = createHttpBrowser([portal.redirectUri, after])
  const login = await beginPortalLogin(baseUrl, { browser })
  const page = await browser.get(login.url)
  const back = await browser.submit(page.url, { username: 'ana', password })
  const { id_token: idToken = '' } = await login.finish(back.url)
  const document = await (await fetch(`${baseUrl}/.well-known/openid-configuration`)).json()
  const { end_session_endpoint: endpoint } = document as { end_session_endpoint: string }
  return {
    browser,
    open: (parameters: Readonly<Record<string, string>>) =>
      browser.get(`${endpoint}?${new URLSearchParams(parameters)}`),
    openByPost: (parameters: Readonly<Record<string, string>>) =>
      browser.submit(endpoint, parameters),
    idToken,
    /** Whether the next login asks the person to log in. */
    async isAsked() {
      const next = await beginPortalLogin(baseUrl, { browser })
      return !(await browser.get(next.url)).url.startsWith(portal.redirectUri)
    },
    press: (page: HttpPage, more: Readonly<Record<string, string>> = {}) => {
      const [, action = ''] = /<form [^>]*action="([^"]+)"/.exec(page.text) ?? []
      const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text) ?? []
      return browser.submit(new URL(action, page.url).href, { xsrf, ...more })
    },
  }
}

const signOut = { logout: 'yes' }

describe('a logout', () => {
  it('asks first, then returns to the portal', async () => {
    const { open, openByPost, press, idToken, isAsked } = await signIn()
    expect(await isAsked()).toBe(false)
    const parameters = { id_token_hint: idToken, post_logout_redirect_uri: after, state: 'a state' }
    const page = await open(parameters)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('The portal')])
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:9;",
    )
    expect(await isAsked()).toBe(false)
    expect((await press(await openByPost(parameters), signOut)).url).toBe(`${after}?state=a+state`)
    expect(await isAsked()).toBe(true)
  })

  it('ends on its own page without a return URI', async () => {
    const { open, press, isAsked } = await signIn()
    const page = await press(await open({}), signOut)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('You are logged out')])
    expect(await isAsked()).toBe(true)
    // Without a session there is nothing to confirm: a script submits a form without buttons.
    expect((await press(await open({}), signOut)).text).toContain('You are logged out')
  })

  it('can be declined', async () => {
    const { open, press, idToken, isAsked } = await signIn()
    const page = await press(await open({ id_token_hint: idToken }))
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringContaining('You are still logged in'),
    ])
    expect(await isAsked()).toBe(false)
  })

  it.each([
    ['an address that is not registered', { post_logout_redirect_uri: 'http://127.0.0.1:9/evil' }],
    ['an invalid id_token', { id_token_hint: 'x' }],
    ['an unknown client', { client_id: 'unknown', id_token_hint: '' }],
  ])('is rejected without a redirect: %s', async (_name, change) => {
    const { open, idToken, isAsked } = await signIn()
    const page = await open({ id_token_hint: idToken, ...change })
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('role="alert"')])
    expect(await isAsked()).toBe(false)
  })

  it('ignores the return URI without a client', async () => {
    const { open, press } = await signIn()
    const page = await press(await open({ post_logout_redirect_uri: after }), signOut)
    expect(page.text).toContain('You are logged out')
  })

  it('requires the secret of the page', async () => {
    const { open, press, isAsked } = await signIn()
    expect((await press(await open({}), { ...signOut, xsrf: 'x' })).status).toBe(400)
    expect(await isAsked()).toBe(false)
  })
})
