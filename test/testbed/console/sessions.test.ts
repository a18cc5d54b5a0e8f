import { beforeAll, describe, expect, it } from 'vitest'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { createHttpBrowser, type HttpBrowser } from '#scenarios/harness/http-browser.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { callJson, send } from '#test/support/http.ts'
import { readQrPng } from '#test/support/images.ts'
import { linkOf } from '#test/support/login-system.ts'
import { openLogin, shareTestbed } from '#test/support/running-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'

const shared = shareTestbed()
const at = (path: string) => `${shared.file.consoleUrl}${path}`

/** A browser in which the console is open. */
let browser: HttpBrowser
/** Where the page of the failed login leads. */
let why: string
beforeAll(async () => {
  browser = createHttpBrowser()
  await browser.get(shared.testbed.createConsoleLink())
  why = await failLogin(await shared.order())
})

/** Accepts an offer, and presents the credential with a wrong nonce; returns the address of the explanation. */
async function failLogin(offer: string): Promise<string> {
  const http = { allowPrivateAddresses: true }
  const wallet = createWallet({ http, faults: findFaults(['presentation-wrong-nonce']) })
  const trust = environmentTrust({ environment: shared.pre }, wallet)
  await acceptOffer(wallet, offer, trust)
  const login = await openLogin(shared.pre, browser)
  await present(wallet, linkOf(login), trust)
  const { text } = await browser.get(login.url)
  return /id="see-why" href="([^"]+)"/.exec(text)?.[1] ?? ''
}

describe('the page to which a failed login leads', () => {
  it('shows rule, expected and found value, fix and paragraph', async () => {
    expect(why).toMatch(new RegExp(`^${at('/sessions/pre/')}[\\w-]+$`))
    const { status, text } = await browser.get(why)
    expect(status).toBe(200)
    const broken = /<article class="card broken" data-rule="presentation.nonce"[\s\S]*?<\/article>/
    const shown = broken.exec(text)?.[0] ?? ''
    for (const label of ['Expected', 'Found', 'How to fix it', 'Paragraph']) {
      expect(shown).toMatch(new RegExp(`<dt>${label}</dt>\\s*<dd[^>]*>\\s*\\S`))
    }
    expect(shown).toContain('/profile/')
    expect(text).toMatch(/data-passed="true"/)
    const { rootTao, issuer } = shared.pre.trustChain
    for (const [{ did }, name] of [
      [issuer, 'Issuer'],
      [rootTao, 'Root TAO'],
    ] as const) {
      expect(text).toContain(
        `href="/registries/pre/identifiers/${encodeURIComponent(did)}">${name}<`,
      )
    }
  })

  it('needs the console’s cookie', async () => {
    const answer = await fetch(why)
    expect(answer.status).toBe(401)
    expect(await answer.text()).not.toContain('presentation.nonce')
  })

  it('is a page without a login of that code, never an error of the server', async () => {
    for (const path of ['/sessions/pre/unknown', '/sessions/pre/a%00b', '/sessions/nowhere/x']) {
      expect((await browser.get(at(path))).status).toBe(404)
    }
  })
})

describe('the list of logins', () => {
  it('is a page with the menu during an outage', async () => {
    await shared.control('/pre/faults/database-down', { method: 'PUT' })
    const { status, text } = await browser.get(at('/sessions'))
    await shared.control('/pre/faults/database-down', { method: 'DELETE' })
    expect([status, text]).toEqual([502, expect.stringContaining('<nav')])
    expect(text).toContain('<p class="alert" role="alert" lang="en">')
    expect(text).toContain('database_unavailable')
  })

  it('shows person, organization and reason, and leads to the explanation', async () => {
    const { text } = await browser.get(at('/sessions?status=FAILED'))
    expect(text).toContain(`href="${new URL(why).pathname}"`)
    expect(text).toContain('presentation.nonce')
    expect(text).toContain('Almenara Logistics')
    const accepted = await browser.get(at('/sessions?status=SUCCESS&page=x'))
    expect(accepted.text).not.toContain('presentation.nonce')
  })

  it('shows that a login was cancelled', async () => {
    const page = await openLogin(shared.pre, browser)
    await browser.submit(`${page.url}/cancel`, {})
    const { text } = await browser.get(at('/sessions?status=FAILED'))
    expect(text).toContain('data-status="FAILED">cancelled<')
  })

  it('shows names from credentials as text', async () => {
    const { body: token } = await shared.control('/pre/bearer-tokens', {
      json: {
        organization_identifier: 'VATES-B87654321',
        claims: { organization: '<img src=x>', given_name: '<b>Eve</b>', family_name: '"Quote"' },
      },
    })
    const qr = await send(`${shared.pre.issuerBaseUrl}/issuance/representative`, {
      headers: { authorization: `Bearer ${token.access_token}` },
      json: { power: shared.pre.organizations[1]?.authorizedPowers },
    })
    const address = await failLogin(readQrPng(Buffer.from(await qr.arrayBuffer())))
    for (const each of [address, at('/sessions')]) {
      const { text } = await browser.get(each)
      expect(text).toContain('&lt;b&gt;Eve&lt;/b&gt; &quot;Quote&quot;')
      expect(text).toContain('&lt;img src=x&gt;')
      expect(text).not.toMatch(/<img|<b>/)
    }
  })
})

describe('the admin panel', () => {
  it('leads back to the console, also before the login', async () => {
    const text = await (await fetch(`${shared.pre.idpBaseUrl}/admin/login`)).text()
    expect(text).toContain(`<a class="console" href="${shared.file.consoleUrl}/">`)
  })

  it('opens from the home page without its password', async () => {
    const chrome = await launchBrowser()
    const page = await chrome.newPage()
    await page.goto(shared.testbed.createConsoleLink())
    const [answer] = await Promise.all([
      page.waitForNavigation(),
      page.locator('#admin-panel').click(),
    ])
    expect(answer?.url()).toBe(`${shared.pre.idpBaseUrl}/admin/`)
    expect(await page.$eval('body', ({ innerText }) => innerText)).toContain('Log out admin')
    expect(await page.content()).not.toContain(shared.pre.admin.password)
    await chrome.close()
  })

  it('does not open by a request of another origin or without the cookie', async () => {
    const call = (headers: Record<string, string>) =>
      callJson(at('/console/admin-links/pre'), { method: 'POST', headers })
    const cookie = browser.cookiesFor(at('/'))
    expect((await call({})).status).toBe(401)
    expect((await call({ cookie, origin: 'http://attacker.example' })).status).toBe(403)
    expect((await call({ cookie, origin: shared.file.consoleUrl })).status).toBe(201)
  })
})
