import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { createLog } from '#kit/log.ts'
import { linkOf, otherParty, relyingParty } from '#test/support/login-system.ts'
import { createTestRuntime } from '#test/support/services.ts'
import {
  apiKey,
  beginPortalLogin,
  brokerClient,
  password,
  portal,
  startPortalSystem,
} from '#test/support/token-issuer.ts'
import { idpApiKey, verifierApiKey } from '#test/support/verifier.ts'

/** What is written while a whole system signs people in, at the most talkative level. */
async function startWithLog() {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const runtime = createTestRuntime({ log: createLog({ level: 'trace', destination }) })
  return { lines, ...(await startPortalSystem(runtime)) }
}

/** The values of everything in an address or a form that lets somebody in. */
const secretParameters = ['code', 'state', 'nonce', 'ticket', 'response_code', 'code_challenge']

function secretsOf(addresses: readonly string[]): string[] {
  const queries = addresses.map((url) => new URL(url).searchParams)
  return queries.flatMap((query) => secretParameters.flatMap((name) => query.getAll(name)))
}

const cookiesOf = (header: string) => header.split('; ').map((cookie) => cookie.split('=')[1] ?? '')

describe('the logs of IDP, verifier and token issuer', () => {
  it('hold no secret of whole logins, good ones and bad ones', async () => {
    const { lines, idp, issuerUrl, openWalletLogin } = await startWithLog()
    const secrets = [
      ...[relyingParty, otherParty, brokerClient, portal].map(({ clientSecret }) => clientSecret),
      ...[apiKey, idpApiKey, verifierApiKey, password, 'a cookie key of 32 characters or more'],
    ]

    // By the portal, through the broker, with the wallet.
    const { login, page, link } = await openWalletLogin()
    const { redirect_uri: returned = '' } = await idp.present(link)
    secrets.push(...cookiesOf(login.browser.cookiesFor(page.url)))
    const back = await login.browser.get(returned)
    secrets.push(...secretsOf([...page.visited, returned, ...back.visited]))
    const bearer = await login.finish(back.url)
    secrets.push(bearer.access_token, bearer.id_token ?? '')

    // By a relying party: tokens, userinfo, refresh, and what a code's second use brings about.
    const { login: direct, back: answer, finish } = await idp.logIn()
    const tokens = await finish()
    await client.fetchUserInfo(direct.provider, tokens.access_token, tokens.claims()?.sub ?? '')
    const refreshed = await client.refreshTokenGrant(direct.provider, tokens.refresh_token ?? '')
    await finish().catch(() => {})
    secrets.push(...secretsOf([direct.url, ...answer.visited]))
    for (const each of [tokens, refreshed]) {
      secrets.push(each.access_token, each.id_token ?? '', each.refresh_token ?? '')
    }

    // With a password, wrong and right.
    const local = await beginPortalLogin(issuerUrl)
    const form = await local.browser.get(local.url)
    const wrong = 'a password that is wrong'
    await local.browser.submit(form.url, { username: 'ana', password: wrong })
    const done = await local.browser.submit(form.url, { username: 'ana', password })
    secrets.push(wrong, ...cookiesOf(local.browser.cookiesFor(form.url)), ...secretsOf([done.url]))

    // While services are away, and with credentials that fail.
    for (const fault of ['tir-down', 'did-registry-down', 'status-list-down', 'verifier-down']) {
      const failing = await idp.beginLogin()
      const shown = await failing.browser.get(failing.url)
      idp.runtime.activeFaults.add(fault as 'tir-down')
      await idp.present(linkOf(shown))
      secrets.push(...secretsOf((await failing.browser.get(shown.url)).visited))
      await failing.browser.submit(`${shown.url}/renew`, {})
      const refused = await openWalletLogin()
      secrets.push(...secretsOf([failing.url, ...refused.page.visited]))
      idp.runtime.activeFaults.clear()
    }
    const callback = `${issuerUrl}/broker/wallet/endpoint`
    const stray = `${callback}?state=${'s'.repeat(43)}&code=${'c'.repeat(43)}`
    await login.browser.get(stray)
    secrets.push(...secretsOf([stray]))
    idp.runtime.activeFaults.add('database-down')
    await direct.browser.get(direct.url)
    await fetch(`${idp.baseUrl}/accounts/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...brokerClient, code: 'a code for a database that is away' }),
    })
    idp.runtime.activeFaults.clear()
    secrets.push('a code for a database that is away')

    expect(lines.length).toBeGreaterThan(100)
    const log = lines.join('')
    expect(log).toContain('verifier_unavailable')
    expect(log).toContain('database_unavailable')
    const looked = new Set(secrets.filter((secret) => secret.length > 7))
    expect(looked.size).toBeGreaterThan(60)
    // The last part of a token alone would do.
    const parts = [...looked].flatMap((secret) => [secret, secret.split('.').at(-1) ?? secret])
    expect(parts.filter((part) => log.includes(part))).toEqual([])
    expect(log).not.toMatch(/"d":"|eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{10}/)
  })
})
