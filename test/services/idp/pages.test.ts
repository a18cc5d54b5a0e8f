import { describe, expect, it } from 'vitest'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { send } from '#test/support/http.ts'
import {
  itAnswersWithPages,
  linkOf,
  relyingParty,
  sessionOf,
  startLoginSystem,
  stateOf,
} from '#test/support/login-system.ts'
import { answerEverything } from '#test/support/servers.ts'
import { createStandingRuntime } from '#test/support/services.ts'
import { idpApiKey } from '#test/support/verifier.ts'

const system = await startLoginSystem()

describe('the pages', () => {
  itAnswersWithPages(system.baseUrl, '/accounts/token')
})

describe('the page with the QR code', () => {
  it('escapes its values and loads no external resources', async () => {
    const { page } = await system.openLogin()
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
    // Every URL in it belongs to this service or to the wallet.
    const addresses = [...page.text.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(
      ([, url]) => url,
    )
    expect(addresses.every((url) => /^(\/|openid4vp:|data:(,|image\/png))/.test(url ?? ''))).toBe(
      true,
    )
    for (const name of ['login.css', 'login.js']) {
      expect((await fetch(`${system.baseUrl}/accounts/assets/${name}`)).status).toBe(200)
    }
  })

  it('offers to open the request in a wallet in the browser, if the operator has one', async () => {
    const webWalletUrl = 'http://127.0.0.1:9/wallets?env=pre'
    const { openLogin } = await startLoginSystem((config) => ({ ...config, webWalletUrl }))
    const { page } = await openLogin()
    const [, escaped = ''] = /id="web-wallet" href="([^"]+)"/.exec(page.text) ?? []
    const address = new URL(escaped.replaceAll('&amp;', '&'))
    expect(address.href).toMatch(/^http:\/\/127\.0\.0\.1:9\/wallets\?env=pre&link=/)
    expect(address.searchParams.get('link')).toBe(linkOf(page))
    expect((await system.openLogin()).page.text).not.toContain('web-wallet')
  })

  it('shows the same code after a reload, and 400 once the login is over', async () => {
    const { login, page } = await system.openLogin()
    const reloaded = await login.browser.get(page.url)
    expect(sessionOf(reloaded)).toBe(sessionOf(page))
    await system.present(linkOf(page))
    expect((await login.browser.get(page.url)).url).toMatch(relyingParty.redirectUri)
    const over = await login.browser.get(page.url)
    expect(over.status).toBe(400)
    expect(stateOf(over)).toBeUndefined()
  })

  it('continues in the language that the reader chooses', async () => {
    const { login, page } = await system.openLogin()
    const [, spanish = ''] = /href="([^"]+)" lang="es" hreflang="es">Español</.exec(page.text) ?? []
    const chosen = await login.browser.get(new URL(spanish, page.url).href)
    expect([chosen.url, chosen.status]).toEqual([page.url, 200])
    expect(chosen.text).toContain('<html lang="es">')
    expect(sessionOf(chosen)).toBe(sessionOf(page))
    const reloaded = await login.browser.get(page.url)
    expect(reloaded.text).toContain('hreflang="en">English<')
  })

  it('works without script', async () => {
    const { login, page } = await system.openLogin()
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
  ])('is in the language of %j, or of %j: %s', async (accepted, parameters, expected) => {
    const system = await startLoginSystem()
    const { login, page } = await system.openLogin({
      parameters,
      browser: createHttpBrowser([relyingParty.redirectUri], { 'accept-language': accepted }),
    })
    const headings = { en: 'Log in with your wallet', es: 'Inicie sesión con su cartera' }
    expect(page.text).toContain(`<html lang="${expected}">`)
    expect(page.text).toContain(headings[expected as 'en' | 'es'])
    // The later pages also use it, including server errors.
    system.runtime.activeFaults.add('tir-down')
    await system.present(linkOf(page))
    const failed = await login.browser.get(page.url)
    system.runtime.activeFaults.add('verifier-down')
    const down = await login.browser.submit(`${page.url}/renew`, {})
    for (const { text } of [failed, down]) expect(text).toContain(`<html lang="${expected}">`)
    expect([stateOf(failed), down.status]).toEqual(['failed', 503])
  })

  // @row 1.states-and-transitions.7 1.errors.10
  it('shows why a login failed, and offers a code that works', async () => {
    const system = await startLoginSystem()
    const { login, page } = await system.openLogin()
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
    // V51: the first session keeps its result.
    expect(await (await system.poll(session)).json()).toEqual({ status: 'FAILED' })
  })

  it('says that a code has expired, and offers a new one', async () => {
    const system = await startLoginSystem(
      (config) => ({ ...config, qrExpirationTime: 120 }),
      createStandingRuntime(),
    )
    const { login, page } = await system.openLogin()
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

  it('does not replace a code that is still valid', async () => {
    const { login, page } = await system.openLogin()
    const renewed = await login.browser.submit(`${page.url}/renew`, {})
    expect(sessionOf(renewed)).toBe(sessionOf(page))
  })

  it('can be cancelled, which the relying party learns', async () => {
    const { login, page } = await system.openLogin()
    const back = await login.browser.submit(`${page.url}/cancel`, {})
    const answer = new URL(back.url).searchParams
    expect(back.url).toMatch(relyingParty.redirectUri)
    expect(answer.get('error')).toBe('access_denied')
    expect(answer.get('state')).toBe(new URL(login.url).searchParams.get('state'))
  })

  it('ends with its cancellation: a late presentation changes nothing', async () => {
    const { login, page } = await system.openLogin()
    const late = await system.createResponse(linkOf(page))
    await login.browser.submit(`${page.url}/cancel`, {})
    expect(await (await system.poll(sessionOf(page))).json()).toEqual({ status: 'FAILED' })
    const response = await fetch(late.url, { method: 'POST', body: late.body })
    expect([response.status, await response.json()]).toEqual([200, {}])
    expect(await (await system.poll(sessionOf(page))).json()).toEqual({ status: 'FAILED' })
    const scanned = new URL(linkOf(page)).searchParams.get('request_uri') ?? ''
    expect((await fetch(scanned)).status).toBe(410)
  })

  it('keeps the outcome of a presentation before its cancellation', async () => {
    const { login, page } = await system.openLogin()
    await system.present(linkOf(page))
    await login.browser.submit(`${page.url}/cancel`, {})
    expect(await (await system.poll(sessionOf(page))).json()).toEqual({ status: 'SUCCESS' })
  })
})

describe('the way back from the wallet', () => {
  it('continues once, only in the browser of the login', async () => {
    const { login, page } = await system.openLogin()
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

  it('ignores the code of another login', async () => {
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

  it('also leads to the reason for a failure', async () => {
    const { login, page } = await system.openLogin()
    const { redirect_uri: address = '' } = await system.present(linkOf(page), {
      form: { state: 'x' },
    })
    expect(stateOf(await login.browser.get(address))).toBe('failed')
    const again = await login.browser.get(address)
    expect(stateOf(again)).toBeUndefined()
  })
})

describe('a credential without a subject', () => {
  it('fails the login although it verifies (A-42)', async () => {
    const { login, page } = await system.openLogin()
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

/** A verification service that has one session and answers immediately. */
const startVerifierWithSession = (session_id: string) =>
  answerEverything(201, {
    session_id,
    authorization_request: 'openid4vp://?request_uri=x',
    expires_at: Math.floor(Date.now() / 1000) + 300,
  })

describe('verdicts', () => {
  const report = ({ baseUrl }: { baseUrl: string }, body: object, key = idpApiKey) =>
    send(`${baseUrl}/idp/api/auth/results`, { headers: { 'x-api-key': key }, json: body })

  // @row 1.authentication.3
  it('require the API key and a known session', async () => {
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
    const { page } = await system.openLogin()
    const seen = []
    for (const body of bodies) {
      const answer = await report(system, body)
      const polled = await (await system.poll(sessionOf(page))).json()
      expect(await answer.json()).toEqual(polled)
      seen.push((polled as { status: string }).status)
    }
    expect(seen).toEqual(expected)
  })

  it('are rejected after the end of the session', async () => {
    const verifierUrl = await startVerifierWithSession('a-session')
    const system = await startLoginSystem((config) => ({ ...config, verifierUrl }))
    const { login, page } = await system.openLogin()
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
    expect(Object.keys(document.paths['/accounts/userinfo'] ?? {})).toEqual(['get', 'post'])
  })
})
