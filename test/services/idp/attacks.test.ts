import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { createHolder, mandate } from '#conformance/world/create-trust-world.ts'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'
import {
  type LoginSystem,
  linkOf,
  otherParty,
  relyingParty,
  sessionOf,
  startLoginSystem,
  stateOf,
} from '#test/support/login-system.ts'

const atRelyingParty = ({ url }: HttpPage) => url.startsWith(relyingParty.redirectUri)

/** A credential of another person, in another wallet. */
function credentialOf(
  { world }: LoginSystem,
  holder: ReturnType<typeof createHolder>,
  change: { mandator?: object; mandatee?: object },
): string {
  const payload = world.credentialPayload(holder.did)
  const { credentialSubject } = payload.vc
  const changed = {
    ...mandate,
    mandator: { ...mandate.mandator, ...change.mandator },
    mandatee: { ...mandate.mandatee, ...change.mandatee },
  }
  const vc = { ...payload.vc, credentialSubject: { ...credentialSubject, mandate: changed } }
  return world.issue({ ...payload, vc })
}

const system = await startLoginSystem()

describe('a photographed QR code (A-31)', () => {
  it('logs in only the browser that shows it', async () => {
    const { page } = await system.openLogin()
    // The photographer's wallet answers, and its browser follows the wallet's redirect.
    const photographer = createHolder('photographer')
    const { redirect_uri: address = '' } = await system.present(linkOf(page), {
      holder: photographer,
      credential: credentialOf(system, photographer, { mandatee: { employeeId: 'EMP-9' } }),
    })
    const own = await system.beginLogin()
    await own.browser.get(own.url)
    for (const url of [address, page.url, `${page.url}/return`]) {
      const seen = await own.browser.get(url)
      expect(atRelyingParty(seen)).toBe(false)
      expect(stateOf(seen)).toBeUndefined()
    }
    expect(stateOf(await own.browser.get(own.url))).toBe('pending')
  })

  it('cannot be combined with an overheard presentation', async () => {
    const { login: victim, page } = await system.openLogin()
    const { login: attacker, page: own } = await system.openLogin()
    // The victim's presentation is posted to the session of the attacker's browser instead.
    const { body } = await system.createResponse(linkOf(page))
    const { url } = await system.createResponse(linkOf(own))
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
    expect(await (await system.poll(sessionOf(own))).json()).toEqual({ status: 'FAILED' })
    const failed = await attacker.browser.get(own.url)
    expect(stateOf(failed)).toBe('failed')
    // Nonce replay: the same presentation in its own session, then a second time.
    const { url: right } = await system.createResponse(linkOf(page))
    await fetch(right, { method: 'POST', body })
    expect(atRelyingParty(await victim.browser.get(page.url))).toBe(true)
    await fetch(right, { method: 'POST', body })
    const again = await system.beginLogin({ browser: victim.browser })
    expect(stateOf(await again.browser.get(again.url))).toBe('pending')
  })
})

describe('session fixation', () => {
  it('fails because earlier cookies are not valid', async () => {
    const { login, page } = await system.openLogin()
    // The attacker knows every cookie that the browser had before the login succeeded.
    const known = `${login.browser.cookiesFor(page.url)}; ${login.browser.cookiesFor(login.url)}`
    await system.present(linkOf(page))
    expect(atRelyingParty(await login.browser.get(page.url))).toBe(true)
    const ask = (url: string, cookie: string) =>
      fetch(url, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
    expect((await ask(page.url, known)).status).toBe(400)
    const silent = await system.beginLogin({ parameters: { prompt: 'none' } })
    for (const cookie of [known, login.browser.cookiesFor(login.url)]) {
      const answer = await ask(silent.url, cookie)
      const location = new URL(answer.headers.get('location') ?? '')
      expect(location.searchParams.get('error')).toBe('login_required')
    }
  })

  it('fails with a cookie that is not signed', async () => {
    const { login, page } = await system.openLogin()
    const cookie = login.browser.cookiesFor(page.url)
    const [name, value] = cookie.split('; ')[0]?.split('=') ?? []
    for (const forged of [`${name}=${value}`, cookie.replace(/\.sig=.{4}/, '.sig=AAAA')]) {
      const headers = { cookie: forged, accept: 'text/html' }
      expect((await fetch(page.url, { headers })).status).toBe(400)
    }
    expect((await fetch(page.url, { headers: { cookie, accept: 'text/html' } })).status).toBe(200)
  })

  it('sends cookies that scripts and other sites cannot read', async () => {
    const system = await startLoginSystem((config) => ({ ...config, cookieKeys: ['k'.repeat(32)] }))
    const login = await system.beginLogin()
    const response = await fetch(login.url, { redirect: 'manual' })
    const cookies = response.headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) expect(cookie).toMatch(/samesite=lax.*httponly/i)
  })
})

describe('mix-up of clients', () => {
  it('is detected because the response contains its issuer', async () => {
    const { login, back } = await system.logIn()
    const url = new URL(back.url)
    // RFC 9207
    expect(url.searchParams.get('iss')).toBe(system.baseUrl)
    const mixed = new URL(url)
    mixed.searchParams.set('iss', 'https://another.example')
    await expect(login.finish(mixed.href)).rejects.toMatchObject({
      code: 'OAUTH_INVALID_RESPONSE',
    })
  })

  it('rejects a refresh token of another client', async () => {
    const { finish } = await system.logIn()
    const { refresh_token: refreshToken = '' } = await finish()
    const other = await system.discover(otherParty)
    await expect(client.refreshTokenGrant(other, refreshToken)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })
})

describe('state', () => {
  it('is returned unchanged (O14)', async () => {
    for (const state of ['a&error=access_denied#x', '"><script>', 'ñ€😀 %00', 'x'.repeat(2000)]) {
      const { login, back } = await system.logIn({ parameters: { state } })
      expect(new URL(back.url).searchParams.getAll('state')).toEqual([state])
      expect(new URL(back.url).searchParams.get('error')).toBeNull()
      // The relying party expects another state: openid-client stops here.
      await expect(login.finish(back.url)).rejects.toMatchObject({
        code: 'OAUTH_INVALID_RESPONSE',
      })
    }
  })
})

describe('the subject', () => {
  it('differs for the same employeeId or address at another organization (A-42)', async () => {
    const subjectOf = async (mandator: object, mandatee: object) => {
      const holder = createHolder(JSON.stringify([mandator, mandatee]))
      const credential = credentialOf(system, holder, { mandator, mandatee })
      const { finish } = await system.logIn({ holder, credential })
      return (await finish()).claims()
    }
    const other = { organizationIdentifier: 'VATES-B87654321' }
    const claims = [
      await subjectOf({}, {}),
      await subjectOf(other, {}),
      await subjectOf({}, { employeeId: 'EMP-2' }),
      await subjectOf(other, { employeeId: mandate.mandatee.email }),
      // A separator inside an identifier would make two pairs equal.
      await subjectOf({ organizationIdentifier: 'VATES-A' }, { employeeId: '12345678 EMP-1' }),
    ]
    expect(new Set(claims.map((each) => each?.email))).toEqual(new Set([mandate.mandatee.email]))
    expect(new Set(claims.map((each) => each?.sub)).size).toBe(claims.length)
    for (const each of claims) expect(each?.sub).not.toContain('@')
    // Another wallet does not change the subject of a person.
    expect((await subjectOf({}, { firstName: 'Anna' }))?.sub).toBe(claims[0]?.sub)
  })
})

describe('open redirects', () => {
  it('lead only to this service or the registered URI', async () => {
    const evil = 'https://evil.example/'
    const query = ['redirect_uri', 'return_to', 'next', 'url', 'continue', 'response_code']
      .map((name) => `${name}=${encodeURIComponent(evil)}`)
      .join('&')
    const { login, page } = await system.openLogin()
    const headers = { cookie: login.browser.cookiesFor(page.url), accept: 'text/html' }
    const paths = [
      '',
      '/return',
      '/renew',
      '/cancel',
      `/%2f${new URL(evil).host}`,
      '//evil.example',
    ]
    for (const path of paths) {
      const method = /renew|cancel/.test(path) ? 'POST' : 'GET'
      const init = { method, headers, redirect: 'manual' } as const
      const answer = await fetch(`${page.url}${path}?${query}`, init)
      const location = answer.headers.get('location') ?? ''
      expect(location.startsWith('//')).toBe(false)
      expect(new URL(location, system.baseUrl).host).toBe(new URL(system.baseUrl).host)
    }
    const cancelled = await login.browser.get(page.url)
    expect(atRelyingParty(cancelled) || cancelled.url.startsWith(system.baseUrl)).toBe(true)
    for (const path of [
      '/accounts/logout',
      '/session/end',
      '//evil.example/%2e%2e',
      '/\\evil.example',
    ]) {
      const answer = await fetch(`${system.baseUrl}${path}?${query}`, { redirect: 'manual' })
      expect([404, 400]).toContain(answer.status)
      expect(answer.headers.get('location')).toBeNull()
    }
  })
})

describe('clickjacking', () => {
  it('is prevented on every page', async () => {
    const system = await startLoginSystem()
    const { login, page: pending } = await system.openLogin()
    await system.present(linkOf(pending), { form: { state: 'x' } })
    const failed = await login.browser.get(pending.url)
    const { login: expired, page: renewed } = await system.openLogin()
    system.runtime.advance(301)
    system.runtime.activeFaults.add('verifier-down')
    const down = await system.beginLogin()
    const pages = [
      pending,
      failed,
      await expired.browser.get(renewed.url),
      await down.browser.get(down.url),
      await createHttpBrowser().get(`${pending.url}/return`),
      await createHttpBrowser().get(pending.url),
      await createHttpBrowser().get(`${system.baseUrl}/accounts/authorize?client_id=nobody`),
    ]
    for (const { headers, text } of pages) {
      expect(text).toContain('<!doctype html>')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-frame-options')).toBe('DENY')
    }
    const swagger = await fetch(`${system.baseUrl}/swagger`)
    expect(swagger.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})
