import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import {
  type LoginSystem,
  linkOf,
  openPanel,
  otherParty,
  type Panel,
  relyingParty,
  startLoginSystem,
} from '#test/support/login-system.ts'
import { dumpDatabase, temporaryDatabase } from '#test/support/temporary-folder.ts'

const shop = {
  client_id: 'shop',
  name: 'The shop',
  redirect_uris: 'http://127.0.0.1:9/shop',
  authentication: 'either',
}

const redirectUri = shop.redirect_uris

function secretIn({ text }: { text: string }): string {
  return /id="client-secret">([^<]*)</.exec(text)?.[1] ?? ''
}

async function createShop(panel: Panel, change: Partial<typeof shop> = {}) {
  await panel.get('/admin/clients/new')
  const page = await panel.submit('/admin/clients', { ...shop, ...change })
  return { page, party: { clientId: 'shop', clientSecret: secretIn(page), redirectUri } }
}

/** The result of a login for the relying party, or the error of the token request. */
async function logIn(system: LoginSystem, options: Parameters<LoginSystem['logIn']>[0]) {
  const { finish } = await system.logIn(options)
  return finish().then((tokens) => tokens.claims()?.name, errorOf)
}

/** The error code, which is in WWW-Authenticate if client authentication failed. */
function errorOf(error: client.ResponseBodyError | client.WWWAuthenticateChallengeError) {
  return 'error' in error ? error.error : error.cause[0]?.parameters.error
}

/** The redirect of the authorization endpoint for a client. */
async function authorize({ baseUrl }: LoginSystem, clientId: string, uri = redirectUri) {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: uri,
    response_type: 'code',
    scope: 'openid',
  })
  const response = await fetch(`${baseUrl}/accounts/authorize?${query}`, { redirect: 'manual' })
  return response.status
}

const system = await startLoginSystem()

describe('a client created in the panel', () => {
  it('works immediately, with its secret in either place', async () => {
    const system = await startLoginSystem()
    const { page, party } = await createShop(await openPanel(system))
    expect(page.status).toBe(200)
    expect(party.clientSecret.length).toBeGreaterThanOrEqual(43)
    expect(await logIn(system, { party })).toBe('Ana Ruiz')
    const inBody = { party, authentication: client.ClientSecretPost }
    expect(await logIn(system, inBody)).toBe('Ana Ruiz')
    const wrong = { ...party, clientSecret: `${party.clientSecret}x` }
    expect(await logIn(system, { party: wrong })).toBe('invalid_client')
    const without = { party, authentication: () => client.None() }
    expect(await logIn(system, without)).toBe('invalid_client')
  })

  // @row 1.endpoints/credential-idp.5
  it.each([
    ['client_secret_basic', client.ClientSecretBasic, client.ClientSecretPost],
    ['client_secret_post', client.ClientSecretPost, client.ClientSecretBasic],
  ])('that must send its secret by %s is rejected otherwise', async (way, right, other) => {
    const system = await startLoginSystem()
    const { party } = await createShop(await openPanel(system), { authentication: way })
    expect(await logIn(system, { party, authentication: right })).toBe('Ana Ruiz')
    expect(await logIn(system, { party, authentication: other })).toBe('invalid_client')
  })

  it('has a secret that is shown once and stored as a hash, which is not itself a valid secret', async () => {
    const databaseUrl = temporaryDatabase()
    const system = await startLoginSystem((config) => ({ ...config, databaseUrl }))
    const panel = await openPanel(system)
    const { party } = await createShop(panel)
    for (const path of ['/admin/clients', '/admin/clients/shop']) {
      expect((await panel.get(path)).text).not.toContain(party.clientSecret)
    }
    const rows = dumpDatabase(databaseUrl)
    expect(rows).toContain('"shop"')
    expect(rows).not.toContain(party.clientSecret)
    expect(rows).not.toContain(relyingParty.clientSecret)
    const kept = /"client_id":"shop","name":"[^"]*","secret_digest":"([^"]*)"/.exec(rows)?.[1]
    expect(kept).toEqual(expect.any(String))
    const stolen = { ...party, clientSecret: kept ?? '' }
    expect(await logIn(system, { party: stolen })).toBe('invalid_client')
  })

  it('gets a new secret that replaces the old one', async () => {
    const system = await startLoginSystem()
    const panel = await openPanel(system)
    const { party } = await createShop(panel)
    const clientSecret = secretIn(await panel.submit('/admin/clients/shop/secret'))
    expect(clientSecret).not.toBe(party.clientSecret)
    expect(await logIn(system, { party })).toBe('invalid_client')
    expect(await logIn(system, { party: { ...party, clientSecret } })).toBe('Ana Ruiz')
  })

  it('must use new redirect URIs immediately', async () => {
    const system = await startLoginSystem()
    const panel = await openPanel(system)
    await createShop(panel)
    expect(await authorize(system, 'shop')).toBe(303)
    const moved = 'http://127.0.0.1:9/moved'
    await panel.submit('/admin/clients/shop', { ...shop, redirect_uris: moved })
    expect(await authorize(system, 'shop')).toBe(400)
    expect(await authorize(system, 'shop', moved)).toBe(303)
  })

  // @row 1.errors.8
  it('gets neither codes nor tokens at a redirect URI that was removed during the login', async () => {
    const system = await startLoginSystem()
    const panel = await openPanel(system)
    const { party } = await createShop(panel)
    const { login, page } = await system.openLogin({ party })
    await system.present(linkOf(page))
    const { finish } = await system.logIn({ party })
    const redirect_uris = 'http://127.0.0.1:9/moved'
    await panel.submit('/admin/clients/shop', { ...shop, redirect_uris })
    const back = await login.browser.get(page.url)
    expect([back.status, new URL(back.url).origin]).toEqual([400, system.baseUrl])
    expect(await finish().catch(errorOf)).toBe('invalid_grant')
  })

  it('can be deleted, which permanently ends its logins, codes and tokens', async () => {
    const system = await startLoginSystem()
    const panel = await openPanel(system)
    const { party } = await createShop(panel)
    const { finish } = await system.logIn({ party })
    const tokens = await finish()
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const userinfo = async () =>
      (await fetch(`${system.baseUrl}/accounts/userinfo`, { headers })).status
    expect(await userinfo()).toBe(200)
    const pending = await system.logIn({ party })
    await panel.submit('/admin/clients/shop/delete')
    expect(await authorize(system, 'shop')).toBe(400)
    expect(await userinfo()).toBe(401)
    expect(await pending.finish().catch(errorOf)).toBe('invalid_client')
    const { party: again } = await createShop(panel)
    expect(await userinfo()).toBe(401)
    const provider = await system.discover(again)
    await expect(
      client.refreshTokenGrant(provider, tokens.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
    // The grants of other clients remain.
    expect(await logIn(system, {})).toBe('Ana Ruiz')
  })

  it('never replaces an existing client', async () => {
    const panel = await openPanel(system)
    for (const client_id of [relyingParty.clientId, 'new']) {
      const { page } = await createShop(panel, { client_id })
      expect([page.status, secretIn(page)]).toEqual([422, ''])
    }
    expect(await logIn(system, {})).toBe('Ana Ruiz')
  })

  it('is rejected with messages that name their language', async () => {
    const panel = await openPanel(system)
    await panel.get('/admin/?lang=es')
    const { page } = await createShop(panel, { client_id: '' })
    expect(page.text).toContain('<html lang="es">')
    expect(page.text).toContain('<li lang="en">Use 1 to 100')
    const taken = await createShop(panel, { client_id: relyingParty.clientId })
    expect(taken.page.text).toMatch(/<li lang="es">/)
  })

  it('is rejected with a message at each invalid field', async () => {
    const panel = await openPanel(system)
    const wrong = [
      ['client_id', '', 'clientId'],
      ['client_id', 'with blank', 'clientId'],
      ['client_id', '../keys', 'clientId'],
      ['client_id', 'x'.repeat(101), 'clientId'],
      ['name', '  ', 'name'],
      ['name', 'x'.repeat(101), 'name'],
      ['authentication', 'none', 'authentication'],
      ['redirect_uris', '', 'redirectUris'],
      ['redirect_uris', 'https://a.example/\njavascript:alert(1)', 'redirectUris'],
    ] as const
    for (const [name, value, field] of wrong) {
      const { page } = await createShop(panel, { [name]: value })
      const marked = page.text.match(/id="(\w+)-problems"/g)
      expect([value, page.status, marked]).toEqual([value, 422, [`id="${field}-problems"`]])
    }
    expect((await panel.get('/admin/clients')).text).not.toContain('The shop')
  })
})

describe('text of a client', () => {
  const hostile = `"><img src=x onerror=alert(1)>'</textarea></title><script>alert(1)</script>`

  it('is shown as text on every page, of the panel and of the login', async () => {
    const system = await startLoginSystem()
    const panel = await openPanel(system)
    const { party, page: created } = await createShop(panel, { name: hostile })
    const { login, page: shown } = await system.openLogin({ party })
    await system.present(linkOf(shown), { form: { state: 'x' } })
    const failed = await login.browser.get(shown.url)
    const list = await panel.get('/admin/sessions')
    const address = /href="(\/admin\/sessions\/[\w-]+)"/.exec(list.text)?.[1] ?? ''
    const pages = [
      await panel.get('/admin/clients'),
      await panel.get('/admin/clients/shop'),
      list,
      await panel.get(address),
      shown,
      failed,
    ]
    for (const { status, text } of [created, ...pages]) {
      expect(status).toBe(200)
      expect(text).not.toMatch(/<img src=x|<script>|<\/textarea><\/title>/)
    }
    for (const { text } of pages) expect(text).toContain('&quot;&gt;&lt;img src=x')
  })

  it('is shown as text if the form is rejected', async () => {
    const panel = await openPanel(system)
    for (const field of ['client_id', 'redirect_uris', 'authentication']) {
      const { page } = await createShop(panel, { [field]: hostile })
      expect(page.status).toBe(422)
      expect(page.text).not.toMatch(/<img src=x|<script>/)
    }
  })
})

describe('the clients of the configuration', () => {
  const start = (databaseUrl: string, uri = relyingParty.redirectUri) =>
    startLoginSystem((config) => ({
      ...config,
      databaseUrl,
      clients: [{ ...relyingParty, redirectUris: [uri] }],
    }))

  it('exist from the first start, and changes in the panel survive restarts', async () => {
    const databaseUrl = temporaryDatabase()
    const system = await start(databaseUrl)
    const panel = await openPanel(system)
    const moved = 'http://127.0.0.1:9/moved'
    await panel.get('/admin/clients/relying-party')
    await panel.submit('/admin/clients/relying-party', { ...shop, redirect_uris: moved })
    await system.restartIdp()
    expect(await authorize(system, 'relying-party', moved)).toBe(303)
    expect(await authorize(system, 'relying-party', relyingParty.redirectUri)).toBe(400)
    await panel.submit('/admin/clients/relying-party/delete')
    await system.restartIdp()
    expect(await authorize(system, 'relying-party', moved)).toBe(400)
  })

  it('are updated when the configuration changes', async () => {
    const databaseUrl = temporaryDatabase()
    await start(databaseUrl)
    const system = await start(databaseUrl, 'http://127.0.0.1:9/configured')
    expect(await authorize(system, 'relying-party', 'http://127.0.0.1:9/configured')).toBe(303)
    expect(await authorize(system, 'relying-party', relyingParty.redirectUri)).toBe(400)
  })

  it('do not include unknown or malformed ids', async () => {
    expect(await authorize(system, 'nobody', otherParty.redirectUri)).toBe(400)
    expect(await authorize(system, 'a\0b', otherParty.redirectUri)).toBe(400)
  })
})
