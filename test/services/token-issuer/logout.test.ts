import { describe, expect, it, onTestFinished } from 'vitest'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'
import {
  beginPortalLogin,
  password,
  portal,
  startTokenIssuer,
} from '#test/support/start-token-issuer.ts'

const after = 'http://127.0.0.1:9/signed-out'

/** Somebody who is signed in, and where a logout begins. */
async function signIn() {
  const { baseUrl, stop } = await startTokenIssuer((config) => ({
    ...config,
    clients: config.clients.map((each) => ({ ...each, postLogoutRedirectUris: [after] })),
  }))
  onTestFinished(stop)
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
    /** Whether the next login asks the person to sign in. */
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
  it('asks first, then leads back to the portal, and the next login asks to sign in', async () => {
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

  it('ends on a page of its own without an address to return to', async () => {
    const { open, press, isAsked } = await signIn()
    const page = await press(await open({}), signOut)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('You are signed out')])
    expect(await isAsked()).toBe(true)
    // Now nobody is there to be asked: a form without buttons, which a script sends.
    expect((await press(await open({}), signOut)).text).toContain('You are signed out')
  })

  it('keeps the person signed in who chooses that', async () => {
    const { open, press, idToken, isAsked } = await signIn()
    const page = await press(await open({ id_token_hint: idToken }))
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringContaining('You are still signed in'),
    ])
    expect(await isAsked()).toBe(false)
  })

  it.each([
    ['an address that is not registered', { post_logout_redirect_uri: 'http://127.0.0.1:9/evil' }],
    ['an id_token that is none', { id_token_hint: 'x' }],
    ['an unknown client', { client_id: 'unknown', id_token_hint: '' }],
  ])('is refused on a page, without a redirect: %s', async (_name, change) => {
    const { open, idToken, isAsked } = await signIn()
    const page = await open({ id_token_hint: idToken, ...change })
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('role="alert"')])
    expect(await isAsked()).toBe(false)
  })

  it('takes no address from a request that names no client', async () => {
    const { open, press } = await signIn()
    const page = await press(await open({ post_logout_redirect_uri: after }), signOut)
    expect(page.text).toContain('You are signed out')
  })

  it('is confirmed with the secret of the page alone', async () => {
    const { open, press, isAsked } = await signIn()
    expect((await press(await open({}), { ...signOut, xsrf: 'x' })).status).toBe(400)
    expect(await isAsked()).toBe(false)
  })
})
