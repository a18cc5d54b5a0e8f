import { connect } from 'node:net'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { mandate } from '#conformance/world/create-trust-world.ts'
import { bearerAuthentication } from '#kit/authentication.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import { createLog } from '#kit/log.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { createTokenIssuerService } from '#services/token-issuer/create-token-issuer-service.ts'
import { startForeignIdentityProvider } from '#test/support/identity-providers.ts'
import { createTestRuntime, startService } from '#test/support/services.ts'
import {
  audience,
  beginPortalLogin,
  createTokenIssuerConfig,
  openPortalLogin,
  password,
  portal,
  startPortalSystem,
  startTokenIssuer,
} from '#test/support/token-issuer.ts'

describe('a portal login with the wallet, through the broker and the IDP', () => {
  // @row 1.what-the-service-does.2 1.endpoints/credential-idp.21
  // @row 1.resources-and-their-fields/idp-id-token-claims.4
  it('ends in a Bearer token that the issuer accepts', async () => {
    const { issuerUrl, idp, openWalletLogin } = await startPortalSystem()
    const { login, page, link } = await openWalletLogin()
    await idp.present(link)
    const back = await login.browser.get(page.url)
    const { access_token: token } = await login.finish(back.url)
    const jwksUri = `${issuerUrl}/jwks`
    const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(jwksUri)), {
      issuer: issuerUrl,
      audience,
      algorithms: ['RS256'],
    })
    const { mandator, mandatee, power } = mandate
    const claims = {
      organization_identifier: mandator.organizationIdentifier,
      organization: mandator.organization,
      user_identifier: mandatee.employeeId,
      email: mandatee.email,
      power: JSON.stringify(power),
    }
    expect(payload).toMatchObject(claims)
    const runtime = createTestRuntime()
    const client = createHttpClient(runtime, {
      caller: 'issuer',
      dependency: 'token issuer',
      baseUrl: issuerUrl,
    })
    const authenticate = bearerAuthentication({ jwksUri, client, clock: runtime.clock })
    const request = { get: () => `Bearer ${token}` } as unknown as Parameters<
      typeof authenticate
    >[0]
    expect(await authenticate(request)).toMatchObject(claims)
  })

  it('ends without a token if the holder cancels', async () => {
    const { issuerUrl, openWalletLogin } = await startPortalSystem()
    const { login, page } = await openWalletLogin()
    const refused = await login.browser.submit(`${page.url}/cancel`, {})
    expect(refused.url).toMatch(new RegExp(`^${issuerUrl}/login/[^/]+\\?alert=login_refused$`))
  })
})

describe('the way back from the identity provider', () => {
  it('is rejected with a wrong or missing state, or the state of another browser', async () => {
    const { issuerUrl, idp, openWalletLogin } = await startPortalSystem()
    const { login, page, link } = await openWalletLogin()
    await idp.present(link)
    // The browser stops before the return with state and code.
    const cookie = login.browser.cookiesFor(page.url)
    const completed = await fetch(page.url, { headers: { cookie }, redirect: 'manual' })
    const resumed = await fetch(new URL(completed.headers.get('location') ?? '', page.url), {
      headers: { cookie: login.browser.cookiesFor(completed.headers.get('location') ?? page.url) },
      redirect: 'manual',
    })
    const callback = new URL(resumed.headers.get('location') ?? '')
    expect(callback.href).toContain(`${issuerUrl}/broker/wallet/endpoint?code=`)
    const state = callback.searchParams.get('state') ?? ''
    const visit = (change: (query: URLSearchParams) => void, browser = login.browser) => {
      const url = new URL(callback)
      change(url.searchParams)
      return browser.get(url.href)
    }
    const other = (await openWalletLogin()).login.browser
    for (const refused of [
      await visit((query) =>
        query.set('state', `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`),
      ),
      await visit((query) => query.delete('state')),
      await visit((query) => query.append('state', state)),
    ]) {
      expect([refused.status, refused.visited.length]).toEqual([400, 1])
    }
    // Another browser's attempt ends the login, which can no longer be used.
    expect((await visit(() => {}, other)).status).toBe(400)
    expect((await visit(() => {})).status).toBe(400)
  })
})

describe('accounts', () => {
  it('are linked by alias and sub only (A-42)', async () => {
    const client = { clientId: 'token-issuer', clientSecret: 'a secret of the token issuer' }
    const providers = [
      await startForeignIdentityProvider(client),
      await startForeignIdentityProvider(client),
    ]
    const aliases = ['one', 'two']
    const issuer = await startTokenIssuer((config) => ({
      ...config,
      brokers: providers.map(({ issuer: issuerUrl }, index) => ({
        alias: aliases[index] ?? '',
        issuerUrl,
        ...client,
      })),
    }))
    onTestFinished(async () => {
      await issuer.stop()
      for (const provider of providers) await provider.stop()
    })
    const subjects: unknown[] = []
    for (const [index, provider] of providers.entries()) {
      provider.register([`${issuer.baseUrl}/broker/${aliases[index]}/endpoint`])
      provider.person = { sub: 'the same', email: 'ana.ruiz@first.example' }
      const {
        login,
        page: { url },
      } = await openPortalLogin(issuer.baseUrl)
      const interaction = url.split('/').at(-1)
      const path = `/broker/${aliases[index]}/login?interaction=${interaction}`
      const back = await login.browser.get(`${issuer.baseUrl}${path}`)
      subjects.push((await login.finish(back.url)).claims()?.sub)
    }
    expect(subjects.every((sub) => typeof sub === 'string')).toBe(true)
    expect(new Set(subjects).size).toBe(2)
  })
})

describe('the token issuer', () => {
  it('starts a new session at login (session fixation)', async () => {
    const issuer = await startTokenIssuer()
    const { login, page } = await openPortalLogin(issuer.baseUrl)
    const known = `${login.browser.cookiesFor(page.url)}; ${login.browser.cookiesFor(login.url)}`
    const done = await login.browser.submit(page.url, { username: 'ana', password })
    expect(done.url).toContain(portal.redirectUri)
    const silent = await beginPortalLogin(issuer.baseUrl, { parameters: { prompt: 'none' } })
    const ask = async (cookie: string) => {
      const answer = await fetch(silent.url, { headers: { cookie }, redirect: 'manual' })
      return new URL(answer.headers.get('location') ?? '').searchParams
    }
    expect((await ask(known)).get('error')).toBe('login_required')
    expect((await ask(login.browser.cookiesFor(silent.url))).get('code')).toEqual(
      expect.any(String),
    )
  })

  it('prevents framing and redirects only to registered addresses', async () => {
    const issuer = await startTokenIssuer()
    const login = await beginPortalLogin(issuer.baseUrl)
    const evil = `?redirect_uri=${encodeURIComponent('https://evil.example/')}`
    const pages = [
      await login.browser.get(login.url),
      await createHttpBrowser().get(`${issuer.baseUrl}/login/unknown${evil}`),
      await createHttpBrowser().get(`${issuer.baseUrl}/auth${evil}&client_id=${portal.clientId}`),
      await createHttpBrowser().get(`${issuer.baseUrl}/broker/wallet/endpoint${evil}`),
    ]
    for (const { headers, text, url } of pages) {
      expect(url.startsWith(issuer.baseUrl)).toBe(true)
      expect(text).toContain('<!doctype html>')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-frame-options')).toBe('DENY')
    }
  })

  it('logs one line without a stack for a broken chunked body', async () => {
    const lines: { msg: string; err?: unknown }[] = []
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
    const log = createLog({ level: 'info', destination })
    const stderr = vi.spyOn(console, 'error')
    const { baseUrl, stop } = await startService(async (url) =>
      createTokenIssuerService(createTokenIssuerConfig(url), createTestRuntime({ log })),
    )
    onTestFinished(async () => {
      stderr.mockRestore()
      await stop()
    })
    // The provider is ready once it answers.
    await fetch(`${baseUrl}/jwks`)
    const { hostname, port } = new URL(baseUrl)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.write(
      `POST /token HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n5\r\nhelloXX0\r\n\r\n',
    )
    socket.resume()
    await expect.poll(() => lines.map(({ msg }) => msg)).toContain('a request could not be read')
    expect(lines.filter(({ err }) => err !== undefined)).toEqual([])
    expect(stderr).not.toHaveBeenCalled()
  })
})
