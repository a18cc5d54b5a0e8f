import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import {
  linkOf,
  relyingParty,
  sessionOf,
  startLoginSystem,
  stateOf,
} from '#test/support/login-system.ts'
import { idpApiKey } from '#test/support/verifier.ts'

describe('the page with the QR code', () => {
  it('escapes what it shows, and lets nothing in from elsewhere', async () => {
    const system = await startLoginSystem()
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    expect(page.text).toContain('The &lt;b&gt;relying&lt;/b&gt; party')
    expect(page.text).not.toContain('<b>relying')
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    // Every address in it is this service's own or the wallet's.
    const addresses = [...page.text.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(
      ([, url]) => url,
    )
    expect(addresses.every((url) => /^(\/|openid4vp:|data:image\/png)/.test(url ?? ''))).toBe(true)
    for (const name of ['login.css', 'login.js']) {
      expect((await fetch(`${system.baseUrl}/accounts/assets/${name}`)).status).toBe(200)
    }
  })

  it('shows the same code when it is loaded again, and what is over when it is over', async () => {
    const system = await startLoginSystem()
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    const reloaded = await login.browser.get(page.url)
    expect(sessionOf(reloaded)).toBe(sessionOf(page))
    await system.present(linkOf(page))
    expect((await login.browser.get(page.url)).url).toMatch(relyingParty.redirectUri)
    const over = await login.browser.get(page.url)
    expect(over.status).toBe(400)
    expect(stateOf(over)).toBeUndefined()
  })

  it('works without any script: a link to the wallet, and one to go on with', async () => {
    const system = await startLoginSystem()
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    const noscript = /<noscript>(.*?)<\/noscript>/s.exec(page.text)?.[1] ?? ''
    const [, self = ''] = /id="continue" href="([^"]*)"/.exec(noscript) ?? []
    expect(new URL(self, page.url).href).toBe(page.url)
    expect(stateOf(await login.browser.get(page.url))).toBe('pending')
    await system.present(linkOf(page))
    const back = await login.browser.get(new URL(self, page.url).href)
    expect(back.url).toMatch(relyingParty.redirectUri)
  })

  it.each([
    ['es', {}, 'es'],
    ['es-MX,es;q=0.9,en;q=0.8', {}, 'es'],
    ['fr, en;q=0.2, es;q=0.8', {}, 'es'],
    ['es;q=0, en;q=0.1', {}, 'en'],
    ['', {}, 'en'],
    ['en', { ui_locales: 'fr es-ES en' }, 'es'],
    ['es', { ui_locales: 'fr' }, 'es'],
    ['es', { ui_locales: 'en' }, 'en'],
  ])('speaks the language of %j, or of %j: %s', async (accepted, parameters, expected) => {
    const system = await startLoginSystem()
    const login = await system.beginLogin({
      parameters,
      browser: createHttpBrowser([relyingParty.redirectUri], { 'accept-language': accepted }),
    })
    const page = await login.browser.get(login.url)
    const headings = { en: 'Sign in with your wallet', es: 'Inicie sesión con su cartera' }
    expect(page.text).toContain(`<html lang="${expected}">`)
    expect(page.text).toContain(headings[expected as 'en' | 'es'])
    // So do the pages that come later, the server's errors among them.
    system.runtime.activeFaults.add('tir-down')
    await system.present(linkOf(page))
    const failed = await login.browser.get(page.url)
    system.runtime.activeFaults.add('verifier-down')
    const down = await login.browser.submit(`${page.url}/renew`, {})
    for (const { text } of [failed, down]) expect(text).toContain(`<html lang="${expected}">`)
    expect([stateOf(failed), down.status]).toEqual(['failed', 503])
  })

  // @row 1.states-and-transitions.7 1.errors.10
  it('says why a login failed, and a new code makes it succeed', async () => {
    const system = await startLoginSystem()
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    const session = sessionOf(page)
    system.world.publishStatusList([7])
    await system.present(linkOf(page))
    expect(await (await system.poll(session)).json()).toEqual({ status: 'FAILED' })
    const failed = await login.browser.get(page.url)
    expect([failed.status, stateOf(failed)]).toEqual([200, 'failed'])
    expect(failed.text).toContain('data-reason="revoked"')
    expect(failed.text).toContain('credential.status')

    system.world.publishStatusList([])
    const renewed = await login.browser.submit(`${page.url}/renew`, {})
    expect(stateOf(renewed)).toBe('pending')
    expect(sessionOf(renewed)).not.toBe(session)
    expect(linkOf(renewed)).not.toBe(linkOf(page))
    await system.present(linkOf(renewed))
    const back = await login.browser.get(page.url)
    expect((await login.finish(back.url)).claims()?.organization).toBe('First Organization')
    // V51: the first session stays as it ended.
    expect(await (await system.poll(session)).json()).toEqual({ status: 'FAILED' })
  })

  it('says that a code has expired, and offers a new one', async () => {
    const system = await startLoginSystem((config) => ({ ...config, qrExpirationTime: 120 }))
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    expect(page.text).toContain('data-remaining="120"')
    system.runtime.advance(120)
    expect(await (await system.poll(sessionOf(page))).json()).toEqual({ status: 'FAILED' })
    const expired = await login.browser.get(page.url)
    expect(stateOf(expired)).toBe('expired')
    const renewed = await login.browser.submit(`${page.url}/renew`, {})
    expect(stateOf(renewed)).toBe('pending')
    await system.present(linkOf(renewed))
    expect((await login.browser.get(page.url)).url).toMatch(relyingParty.redirectUri)
  })

  it('does not replace a code that still counts', async () => {
    const system = await startLoginSystem()
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    const renewed = await login.browser.submit(`${page.url}/renew`, {})
    expect(sessionOf(renewed)).toBe(sessionOf(page))
  })

  it('can be given up: the relying party is told', async () => {
    const system = await startLoginSystem()
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    const back = await login.browser.submit(`${page.url}/cancel`, {})
    const answer = new URL(back.url).searchParams
    expect(back.url).toMatch(relyingParty.redirectUri)
    expect(answer.get('error')).toBe('access_denied')
    expect(answer.get('state')).toBe(new URL(login.url).searchParams.get('state'))
  })

  it('tells apart the services that did not answer from a bad credential', async () => {
    const system = await startLoginSystem()
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    system.runtime.activeFaults.add('tir-down')
    await system.present(linkOf(page))
    expect((await login.browser.get(page.url)).text).toContain('data-reason="service-unavailable"')
  })

  // @row 1.errors.9 1.endpoints/credential-idp.1
  it('is a server error without the verification service or the database (document 1, Errors)', async () => {
    const system = await startLoginSystem()
    const login = await system.beginLogin()
    system.runtime.activeFaults.add('verifier-down')
    const down = await login.browser.get(login.url)
    expect([down.status, down.headers.get('content-type')]).toEqual([
      503,
      'text/html; charset=utf-8',
    ])
    expect(down.text).toContain('verifier_unavailable')
    system.runtime.activeFaults.clear()
    const page = await login.browser.get(down.url)
    expect(stateOf(page)).toBe('pending')

    system.runtime.activeFaults.add('database-down')
    const broken = await login.browser.get(page.url)
    expect([broken.status, broken.text.includes('database_unavailable')]).toEqual([503, true])
    const health = await fetch(`${system.baseUrl}/health`)
    expect([health.status, await health.json()]).toEqual([
      503,
      { status: 'error', db: 'disconnected' },
    ])
    system.runtime.activeFaults.clear()
    expect(await (await fetch(`${system.baseUrl}/health`)).json()).toMatchObject({
      status: 'ok',
      db: 'connected',
    })
    expect(sessionOf(await login.browser.get(page.url))).toBe(sessionOf(page))
  })
})

describe('the way back from the wallet', () => {
  it('goes on in the browser of the login, once, and nowhere else', async () => {
    const system = await startLoginSystem()
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    const { redirect_uri: address = '' } = await system.present(linkOf(page))
    expect(new URL(address).searchParams.get('response_code')?.length).toBeGreaterThanOrEqual(22)
    const phone = await createHttpBrowser().get(address)
    expect([phone.status, stateOf(phone)]).toEqual([200, undefined])
    const wrong = await login.browser.get(address.replace(/.{4}$/, 'AAAA'))
    expect(wrong.url.startsWith(system.baseUrl)).toBe(true)
    const back = await login.browser.get(address)
    expect(back.url).toMatch(relyingParty.redirectUri)
    expect((await login.finish(back.url)).claims()?.organization).toBe('First Organization')
  })

  it('takes no code of another login, which stays good for its own', async () => {
    const system = await startLoginSystem()
    const open = async () => {
      const login = await system.beginLogin()
      return { login, page: await login.browser.get(login.url) }
    }
    const own = await open()
    const other = await open()
    const { redirect_uri: address = '' } = await system.present(linkOf(own.page))
    const foreign = await other.login.browser.get(
      `${other.page.url}/return${new URL(address).search}`,
    )
    expect(foreign.visited).toHaveLength(1)
    expect((await own.login.browser.get(address)).url).toMatch(relyingParty.redirectUri)
  })

  it('also leads to the reason of a failure', async () => {
    const system = await startLoginSystem()
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    const { redirect_uri: address = '' } = await system.present(linkOf(page), {
      form: { state: 'x' },
    })
    expect(stateOf(await login.browser.get(address))).toBe('failed')
    const again = await login.browser.get(address)
    expect(stateOf(again)).toBeUndefined()
  })
})

describe('a credential of nobody', () => {
  it('fails the login, however well it verifies: there is no subject (A-42)', async () => {
    const system = await startLoginSystem()
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    const payload = system.world.credentialPayload()
    const { credentialSubject } = payload.vc
    const { organizationIdentifier: _, ...mandator } = credentialSubject.mandate.mandator
    const mandate = { ...credentialSubject.mandate, mandator }
    const vc = { ...payload.vc, credentialSubject: { ...credentialSubject, mandate } }
    await system.present(linkOf(page), { credential: system.world.issue({ ...payload, vc }) })
    expect(await (await system.poll(sessionOf(page))).json()).toEqual({ status: 'FAILED' })
    expect((await login.browser.get(page.url)).text).toContain('account.subject')
  })
})

/** A verification service that knows one session and waits for nobody. */
async function startVerifierWithSession(session_id: string): Promise<string> {
  const server = createServer((_request, response) => {
    const expires_at = Math.floor(Date.now() / 1000) + 300
    const session = { session_id, authorization_request: 'openid4vp://?request_uri=x', expires_at }
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(session))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('verdicts', () => {
  const report = ({ baseUrl }: { baseUrl: string }, body: object, key = idpApiKey) =>
    fetch(`${baseUrl}/idp/api/auth/results`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body),
    })

  // @row 1.authentication.3
  it('are taken with the API key alone, and for sessions that there are', async () => {
    const system = await startLoginSystem()
    const body = { session_id: 'unknown', status: 'SUCCESS', credential: {} }
    expect((await report(system, body, 'another key')).status).toBe(401)
    expect((await report(system, body)).status).toBe(404)
    expect((await report(system, { status: 'SUCCESS' })).status).toBe(400)
  })

  const credential = {
    credentialSubject: {
      mandate: { mandator: { organizationIdentifier: 'VATES-1' }, mandatee: { employeeId: '1' } },
    },
  }
  const success = { session_id: 'a-session', status: 'SUCCESS', credential }
  const failure = { session_id: 'a-session', status: 'FAILED', failures: [] }

  it.each([
    ['a success stays one', [success, failure, success], ['SUCCESS', 'SUCCESS', 'SUCCESS']],
    ['a failure stays one', [failure, success, failure], ['FAILED', 'FAILED', 'FAILED']],
  ])('count once: %s (V50, V51)', async (_name, bodies, expected) => {
    const verifierUrl = await startVerifierWithSession('a-session')
    const system = await startLoginSystem((config) => ({ ...config, verifierUrl }))
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    const seen = []
    for (const body of bodies) {
      const answer = await report(system, body)
      const polled = await (await system.poll(sessionOf(page))).json()
      expect(await answer.json()).toEqual(polled)
      seen.push((polled as { status: string }).status)
    }
    expect(seen).toEqual(expected)
  })

  it('come too late after the end of the session', async () => {
    const verifierUrl = await startVerifierWithSession('a-session')
    const system = await startLoginSystem((config) => ({ ...config, verifierUrl }))
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    system.runtime.advance(301)
    expect(await (await report(system, success)).json()).toEqual({ status: 'FAILED' })
    expect(stateOf(await login.browser.get(page.url))).toBe('expired')
  })
})

describe('the service', () => {
  // @row 1.what-the-service-does.4..5 1.endpoints/credential-idp.2 1.authentication.5
  it('has metrics in its namespace and documentation', async () => {
    const { baseUrl } = await startLoginSystem((config) => ({
      ...config,
      metricNamespace: 'own_name',
    }))
    expect(await (await fetch(`${baseUrl}/metrics`)).text()).toContain(
      'own_name_http_requests_total',
    )
    expect((await fetch(`${baseUrl}/swagger`)).status).toBe(200)
    const document = (await (await fetch(`${baseUrl}/swagger/openapi.json`)).json()) as {
      paths: Record<string, object>
    }
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/.well-known/openid-configuration',
        '/accounts/authorize',
        '/accounts/token',
        '/accounts/userinfo',
        '/accounts/jwks',
        '/idp/api/auth/requests',
      ]),
    )
  })
})
