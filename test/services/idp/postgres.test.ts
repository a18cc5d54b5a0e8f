import * as client from 'openid-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { linkOf, stateOf } from '#test/support/login-system.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { findPostgres, startPostgres } from '#test/support/start-postgres.ts'
import { startPortalSystem } from '#test/support/token-issuer.ts'

describe('IDP and token issuer in one PostgreSQL database', () => {
  it('log people in, through restarts and with codes used once', async ({ skip }) => {
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

    const failing = await idp.beginLogin()
    const shown = await failing.browser.get(failing.url)
    idp.runtime.activeFaults.add('tir-down')
    await idp.present(linkOf(shown))
    expect(stateOf(await failing.browser.get(shown.url))).toBe('failed')
    idp.runtime.activeFaults.clear()
    expect(stateOf(await failing.browser.submit(`${shown.url}/renew`, {}))).toBe('pending')
    expect((await idp.poll('unknown')).status).toBe(404)
    expect((await failing.browser.get(`${idp.baseUrl}/accounts/interaction/%00`)).status).toBe(400)
  })
})
