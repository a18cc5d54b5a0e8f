import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'
import {
  type ForeignIdentityProvider,
  type HostileIdentityProvider,
  startForeignIdentityProvider,
  startHostileIdentityProvider,
} from '#test/support/identity-providers.ts'
import {
  beginPortalLogin,
  openPortalLogin,
  type PortalLogin,
  password,
  portal,
  type RunningTokenIssuer,
  startTokenIssuer,
} from '#test/support/token-issuer.ts'

const client = { clientId: 'token-issuer', clientSecret: 'a secret of the token issuer' }

const person = {
  sub: 'subject-1',
  email: 'eva@third.example',
  given_name: 'Eva',
  family_name: 'Marín',
  name: 'Eva Marín',
  preferred_username: 'eva',
  organization: 'Third Organization',
  organization_identifier: 'VATES-C11111111',
  user_identifier: 'EMP-7',
  power: '[{"type":"domain","domain":"Org","function":"Onboarding","action":["execute"]}]',
}

/** The URL of the wallet button on the login page. */
async function walletButtonOf({ url, browser }: PortalLogin): Promise<string> {
  const page = await browser.get(url)
  const path = page.text.match(/href="(\/broker\/[^"]+)"/)?.[1]
  if (path === undefined) throw new Error('the page has no wallet button')
  return new URL(path, page.url).href
}

const pressWalletButton = async (login: PortalLogin): Promise<HttpPage> =>
  login.browser.get(await walletButtonOf(login))

describe('logging in through the broker', () => {
  let idp: ForeignIdentityProvider
  let issuer: RunningTokenIssuer
  let narrow: RunningTokenIssuer

  beforeAll(async () => {
    idp = await startForeignIdentityProvider(client)
    const broker = { alias: 'wallet', issuerUrl: idp.issuer, ...client }
    issuer = await startTokenIssuer((config) => ({ ...config, brokers: [broker] }))
    const mappers = { organization_identifier: 'organization_identifier', who: 'sub', x: 'a.b' }
    narrow = await startTokenIssuer((config) => ({ ...config, brokers: [{ ...broker, mappers }] }))
    // The profile: https://<token-issuer-domain>/broker/<idp-alias>/endpoint
    idp.register([issuer, narrow].map(({ baseUrl }) => `${baseUrl}/broker/wallet/endpoint`))
  })
  beforeEach(() => {
    idp.person = person
  })
  afterAll(async () => {
    await Promise.all([issuer.stop(), narrow.stop()])
    await idp.stop()
  })

  const signIn = async (at = issuer) => {
    const login = await beginPortalLogin(at.baseUrl)
    const page = await pressWalletButton(login)
    expect(page.url).toContain(portal.redirectUri)
    const tokens = await login.finish(page.url)
    return { access: decodeJwt(tokens.access_token), id: tokens.claims() }
  }

  it('copies the provider’s claims to the access token', async () => {
    const { access, id } = await signIn()
    const { sub: _, ...claims } = person
    expect(access).toMatchObject(claims)
    expect(id).toMatchObject(claims)
  })

  it('survives an outage of the provider', async () => {
    await signIn()
    const login = await beginPortalLogin(issuer.baseUrl)
    const button = await walletButtonOf(login)
    issuer.runtime.activeFaults.add('idp-down')
    const page = await login.browser.get(button)
    issuer.runtime.activeFaults.delete('idp-down')
    expect(page.status).toBe(200)
    expect(new URL(page.url).pathname).toMatch(/^\/login\//)
    expect(new URL(page.url).searchParams.get('alert')).toBe('provider_unavailable')
    const again = await login.browser.get(await walletButtonOf(login))
    expect(again.url).toContain(portal.redirectUri)
  })

  it('uses only claims that have a mapper', async () => {
    const { access } = await signIn(narrow)
    expect(access).toMatchObject({
      organization_identifier: person.organization_identifier,
      who: person.sub,
    })
    for (const claim of ['email', 'organization', 'user_identifier', 'power']) {
      expect(access).not.toHaveProperty(claim)
    }
  })

  it('recognizes a person by sub and updates the claims', async () => {
    const first = await signIn()
    idp.person = { ...person, email: 'eva.maria@third.example' }
    const second = await signIn()
    expect(second.access.sub).toBe(first.access.sub)
    expect(second.access.email).toBe('eva.maria@third.example')
    expect(first.access.sub).not.toContain(person.sub)
  })

  it('does not link people by email address', async () => {
    const first = await signIn()
    idp.person = { ...person, sub: 'subject-2' }
    expect((await signIn()).access.sub).not.toBe(first.access.sub)

    idp.person = { ...person, sub: 'subject-3', email: 'ana.ruiz@first.example' }
    const { access } = await signIn()
    expect(access.organization_identifier).toBe(person.organization_identifier)
    const { login, page } = await openPortalLogin(issuer.baseUrl)
    const { url } = await login.browser.submit(page.url, { username: 'ana', password })
    expect((await login.finish(url)).claims()?.sub).not.toBe(access.sub)
  })

  it('sends PKCE, state, nonce, the registered redirect URI and the documented scope', async () => {
    const login = await beginPortalLogin(issuer.baseUrl)
    const page = await pressWalletButton(login)
    const address = page.visited.find((url) => url.startsWith(`${idp.issuer}/auth?`)) ?? ''
    const query = Object.fromEntries(new URL(address).searchParams)
    expect(query).toMatchObject({
      client_id: client.clientId,
      response_type: 'code',
      redirect_uri: `${issuer.baseUrl}/broker/wallet/endpoint`,
      scope: 'openid profile email openid-vp-lear',
      code_challenge_method: 'S256',
    })
    const secrets = [query.state, query.nonce, query.code_challenge]
    expect(new Set(secrets).size).toBe(3)
    for (const secret of secrets) expect(secret?.length).toBeGreaterThanOrEqual(22)
  })

  it('returns to the login page if the provider rejects the login', async () => {
    idp.person = undefined
    const login = await beginPortalLogin(issuer.baseUrl)
    const page = await pressWalletButton(login)
    expect(page.url).toMatch(/\/login\/[^/]+\?alert=login_refused$/)
    expect(page.text).toContain('role="alert"')
    const form = page.url.split('?')[0] ?? ''
    const { url } = await login.browser.submit(form, { username: 'ana', password })
    expect((await login.finish(url)).claims()?.email).toBe('ana.ruiz@first.example')
  })

  it('accepts each return from the provider once', async () => {
    const login = await beginPortalLogin(issuer.baseUrl)
    const { visited } = await pressWalletButton(login)
    const callback = visited.find((url) => url.includes('/broker/wallet/endpoint')) ?? ''
    const ticket = visited.find((url) => url.includes('/broker?ticket=')) ?? ''
    expect((await login.browser.get(callback)).status).toBe(400)
    expect((await login.browser.get(ticket)).status).toBe(400)
  })

  it('accepts the return only in the same browser', async () => {
    const login = await beginPortalLogin(issuer.baseUrl)
    const button = await walletButtonOf(login)
    const leaving = createHttpBrowser([`${issuer.baseUrl}/broker/wallet/endpoint`])
    const callback = (await leaving.get(button)).url
    expect(callback).toContain('code=')
    expect((await login.browser.get(callback)).status).toBe(400)
  })

  it('cannot complete a login of another browser', async () => {
    // The attacker begins, and makes the victim press the button of the attacker's login.
    const attacker = await beginPortalLogin(issuer.baseUrl)
    const button = await walletButtonOf(attacker)
    const victim = createHttpBrowser([portal.redirectUri])
    const page = await victim.get(button)
    expect(page.status).toBe(400)
    expect(page.url).toContain('/broker?ticket=')
    expect((await attacker.browser.get(attacker.url)).url).toContain('/login/')
  })

  it('completes only the login that the return belongs to', async () => {
    const first = await beginPortalLogin(issuer.baseUrl)
    const { pathname } = new URL((await first.browser.get(first.url)).url)
    const browser = createHttpBrowser([`${issuer.baseUrl}${pathname}/broker`])
    const begin = async () => {
      const login = await beginPortalLogin(issuer.baseUrl, { browser })
      return new URL((await browser.get(login.url)).url).pathname
    }
    const [own, other] = [await begin(), await begin()]
    const button = `${issuer.baseUrl}/broker/wallet/login?interaction=${pathname.split('/').at(-1)}`
    const ticket = new URL((await browser.get(button)).url).searchParams.get('ticket')
    expect(ticket).toMatch(/^[\w-]{43}$/)
    for (const path of [own, other]) {
      const page = await browser.get(`${issuer.baseUrl}${path}/broker?ticket=${ticket}`)
      expect(page.status).toBe(400)
    }
  })

  it('rejects a late return', async () => {
    const login = await beginPortalLogin(issuer.baseUrl)
    const browser = createHttpBrowser([`${issuer.baseUrl}/broker/wallet/endpoint`])
    const callback = (await browser.get(await walletButtonOf(login))).url
    issuer.runtime.advance(901)
    const headers = { cookie: browser.cookiesFor(callback) }
    expect((await fetch(callback, { headers, redirect: 'manual' })).status).toBe(400)
  })
})

// OpenID Connect Core 1.0, 3.1.3.7: what a relying party must check of an id_token.
describe('the broker, given a wrong id_token', () => {
  let idp: HostileIdentityProvider
  let issuer: RunningTokenIssuer
  beforeAll(async () => {
    idp = await startHostileIdentityProvider(client)
    const broker = { alias: 'wallet', issuerUrl: idp.issuer, ...client }
    issuer = await startTokenIssuer((config) => ({ ...config, brokers: [broker] }))
  })
  beforeEach(() => {
    idp.changeClaims((claims) => claims)
    idp.signature = 'right'
  })
  afterAll(async () => {
    await issuer.stop()
    await idp.stop()
  })

  const signIn = async () => {
    const {
      login,
      page: { url },
    } = await openPortalLogin(issuer.baseUrl)
    const interaction = url.split('/').at(-1)
    return login.browser.get(`${issuer.baseUrl}/broker/wallet/login?interaction=${interaction}`)
  }

  it('accepts a valid one', async () => {
    expect((await signIn()).url).toContain(portal.redirectUri)
  })

  it.each(['other-key', 'none', 'HS256'] as const)('rejects the signature: %s', async (wrong) => {
    idp.signature = wrong
    expect((await signIn()).url).toContain('alert=login_refused')
  })

  const now = () => Math.floor(Date.now() / 1000)
  it.each([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://another.example' }],
    ['another audience', { aud: 'another' }],
    ['several audiences without azp', { aud: [client.clientId, 'another'] }],
    ['a past expiry', { exp: now() - 60 }],
    ['no expiry', { exp: undefined }],
    ['no subject', { sub: undefined }],
    ['a subject that is not a string', { sub: 5 }],
  ])('rejects %s', async (_, wrong) => {
    idp.changeClaims((claims) => ({ ...claims, ...wrong }))
    expect((await signIn()).url).toContain('alert=login_refused')
  })

  it('returns 502 if the provider cannot be reached', async () => {
    const broker = { alias: 'wallet', issuerUrl: 'http://127.0.0.1:9', ...client }
    const alone = await startTokenIssuer((config) => ({ ...config, brokers: [broker] }))
    const {
      login,
      page: { url },
    } = await openPortalLogin(alone.baseUrl)
    const interaction = url.split('/').at(-1)
    const page = await login.browser.get(
      `${alone.baseUrl}/broker/wallet/login?interaction=${interaction}`,
    )
    expect(page.status).toBe(502)
    expect(page.text).toContain('provider_unavailable')
  })
})
