import * as client from 'openid-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  administrator,
  createPanel,
  linkOf,
  openPanel,
  startLoginSystem,
  stateOf,
} from '#test/support/login-system.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { findPostgres, startPostgres } from '#test/support/start-postgres.ts'
import { startPortalSystem } from '#test/support/token-issuer.ts'

describe('IDP and token issuer in one PostgreSQL database', () => {
  it('log users in across restarts, with codes used once', async ({ skip }) => {
    const programs = findPostgres()
    if (!programs) return skip('PostgreSQL is not installed (apt-get install postgresql)')
    const postgres = await startPostgres(programs)
    onTestFinished(() => postgres.stop())
    const { idp, openWalletLogin } = await startPortalSystem(createTestRuntime(), postgres.url)

    const { login, page, link } = await openWalletLogin()
    await idp.restartIdp()
    await idp.present(link)
    await idp.restartIdp()
    const back = await login.browser.get(page.url)
    expect((await login.finish(back.url)).claims()?.organization).toBe('First Organization')

    const { login: direct, back: answer, finish } = await idp.logIn()
    await idp.restartIdp()
    const tokens = await finish()
    const { sub = '' } = tokens.claims() ?? {}
    const readUserInfo = () => client.fetchUserInfo(direct.provider, tokens.access_token, sub)
    expect((await readUserInfo()).organization).toBe('First Organization')
    const refreshed = await client.refreshTokenGrant(direct.provider, tokens.refresh_token ?? '')
    expect(refreshed.claims()?.sub).toBe(sub)
    await expect(finish()).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(readUserInfo()).rejects.toMatchObject({ status: 401 })
    expect(answer.url).toContain('code=')

    const { login: failing, page: shown } = await idp.openLogin()
    idp.runtime.activeFaults.add('tir-down')
    await idp.present(linkOf(shown))
    expect(stateOf(await failing.browser.get(shown.url))).toBe('failed')
    idp.runtime.activeFaults.clear()
    expect(stateOf(await failing.browser.submit(`${shown.url}/renew`, {}))).toBe('pending')
    expect((await idp.poll('unknown')).status).toBe(404)
    expect((await failing.browser.get(`${idp.baseUrl}/accounts/interaction/%00`)).status).toBe(400)
  })
})

it('the whole panel also works on PostgreSQL', async ({ skip }) => {
  const programs = findPostgres()
  if (!programs) return skip('PostgreSQL is not installed (apt-get install postgresql)')
  const postgres = await startPostgres(programs)
  onTestFinished(() => postgres.stop())
  const system = await startLoginSystem((config) => ({ ...config, databaseUrl: postgres.url }))
  const wrong = { ...administrator, password: 'not the password' }
  for (let attempt = 0; attempt < 8; attempt++) {
    system.runtime.advance(900)
    expect((await createPanel(system).logIn(wrong)).status).toBe(401)
  }
  expect((await createPanel(system).logIn()).status).toBe(429)
  system.runtime.advance(900)
  const panel = await openPanel(system)

  await panel.get('/admin/clients/new')
  const redirectUri = 'http://127.0.0.1:9/shop'
  const made = await panel.submit('/admin/clients', {
    client_id: 'shop',
    name: 'The shop',
    redirect_uris: redirectUri,
    authentication: 'client_secret_basic',
  })
  const clientSecret = /id="client-secret">([^<]*)</.exec(made.text)?.[1] ?? ''
  const party = { clientId: 'shop', clientSecret, redirectUri }
  await panel.submit('/admin/mappers/email', {
    intent: 'save',
    mappers: 'country = credentialSubject.mandate.mandator.country',
  })
  const first = await (await system.logIn({ party })).finish()
  expect(first.claims()?.country).toBe('ES')

  const { text } = await panel.get('/admin/sessions?status=SUCCESS')
  const address = /href="(\/admin\/sessions\/[\w-]+)"/.exec(text)?.[1] ?? ''
  expect((await panel.get(address)).text).toContain('data-passed="true"')
  expect((await panel.get('/admin/')).text).toContain('1 succeeded, 0 failed, 0 pending')
  expect((await panel.get('/admin/clients/a%00b')).status).toBe(404)
  expect((await panel.get('/admin/sessions/a%00b')).status).toBe(404)

  const keys = await panel.get('/admin/keys')
  const kid = /name="kid" value="([^"]*)"/.exec(keys.text)?.[1] ?? ''
  await Promise.all([0, 1].map(() => panel.submit('/admin/keys/rotate', { kid })))
  await system.restartIdp()
  const published = (await (await fetch(`${system.baseUrl}/accounts/jwks`)).json()) as {
    keys: { kid: string }[]
  }
  expect(published.keys.map((key) => key.kid)).toEqual([expect.any(String), kid])
  expect((await (await system.logIn({ party })).finish()).claims()?.country).toBe('ES')

  await panel.submit('/admin/clients/shop/delete')
  const headers = { authorization: `Bearer ${first.access_token}` }
  expect((await fetch(`${system.baseUrl}/accounts/userinfo`, { headers })).status).toBe(401)
})
