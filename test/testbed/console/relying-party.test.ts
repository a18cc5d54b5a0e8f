import { beforeAll, describe, expect, it } from 'vitest'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { createHttpBrowser, type HttpBrowser } from '#scenarios/harness/http-browser.ts'
import { answerWith, callJson, send } from '#test/support/http.ts'
import { readQrPng } from '#test/support/images.ts'
import { linkOf } from '#test/support/login-system.ts'
import { openLogin, shareTestbed } from '#test/support/running-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet, type Wallet } from '#wallet-emulator/create-wallet.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'

const shared = shareTestbed()
const at = (path: string) => `${shared.file.consoleUrl}${path}`

/** A wallet that has accepted the offer. */
async function createHolder(offer: string): Promise<Wallet> {
  const wallet = createWallet({ http: { allowPrivateAddresses: true } })
  await acceptOffer(wallet, offer, environmentTrust({ environment: shared.pre }, wallet))
  return wallet
}

let ana: Wallet
beforeAll(async () => {
  ana = await createHolder(await shared.order())
})

async function openConsole(): Promise<HttpBrowser> {
  const browser = createHttpBrowser()
  await browser.get(shared.testbed.createConsoleLink())
  return browser
}

/** Presents the wallet's credential to the login page; returns the address of that page. */
async function logIn(browser: HttpBrowser, wallet: Wallet): Promise<string> {
  const page = await browser.get(at('/relying-party/login'))
  await present(wallet, linkOf(page), environmentTrust({ environment: shared.pre }, wallet))
  return page.url
}

const signOut = (browser: HttpBrowser) =>
  callJson(at('/console/sign-ins/pre/relying-party'), {
    method: 'DELETE',
    headers: { cookie: browser.cookiesFor(at('/')), origin: shared.file.consoleUrl },
  })

describe('the demo relying party', () => {
  it('greets who logs in, explains each claim of the ID token, and logs out', async () => {
    const browser = await openConsole()
    const returned = await browser.get(await logIn(browser, ana))
    expect(returned.url).toBe(at('/relying-party?env=pre'))
    expect(returned.text).toMatch(/id="greeting">Hello, Ana Ruiz</)
    expect(returned.text).toContain('<strong>Almenara Logistics</strong>')
    expect(returned.text).toMatch(/<th scope="row">Catalogue<\/th>\s*<td>.*create.*read.*update/)
    // OpenID Connect Core 1.0, 2: required claims; profile/idp, Claims.
    for (const claim of ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce', 'user_identifier', 'power']) {
      expect(returned.text).toMatch(
        new RegExp(`<dt><code>${claim}</code></dt>\\s*<dd>.+</dd>\\s*<dd class="soft">\\S.+</dd>`),
      )
    }
    expect((await browser.get(at('/relying-party?lang=es'))).text).toContain('Hola, Ana Ruiz')

    expect(await signOut(browser)).toEqual(answerWith(200, {}))
    const afterwards = (await browser.get(at('/relying-party'))).text
    expect(afterwards).not.toContain('Ana Ruiz')
    expect(afterwards).toContain('href="/relying-party/login?env=pre"')
  })

  it('leads from the login page to the wallets of the console', async () => {
    const browser = await openConsole()
    const page = await browser.get(at('/relying-party/login'))
    const [, escaped = ''] = /id="web-wallet" href="([^"]+)"/.exec(page.text) ?? []
    const wallets = await browser.get(escaped.replaceAll('&amp;', '&'))
    expect(wallets.url).toMatch(at('/wallets?env=pre&link='))
    expect(wallets.text).toContain('id="wallets"')
  })

  it('greets only the browser that logged in', async () => {
    const browser = await openConsole()
    await browser.get(await logIn(browser, ana))
    const other = await openConsole()
    expect((await other.get(at('/relying-party'))).text).not.toContain('Ana Ruiz')
  })

  it('uses a code only once', async () => {
    const browser = await openConsole()
    const { visited } = await browser.get(await logIn(browser, ana))
    const callback = visited.find((url) => url.includes('/callback/')) ?? ''
    const again = await browser.get(callback)
    expect([again.url, again.status]).toEqual([callback, 200])
    expect(again.text).not.toContain('Ana Ruiz')
    expect((await browser.get(at('/relying-party'))).text).toContain('Ana Ruiz')
  })

  it('does not complete the login of another browser', async () => {
    const starter = await openConsole()
    const page = await logIn(starter, ana)
    const { url: callback } = await starter.get(page, `${shared.file.consoleUrl}/callback/`)
    const other = await openConsole()
    const shown = await other.get(callback)
    expect([shown.url, shown.text]).toEqual([callback, expect.stringContaining('another browser')])
    expect((await other.get(at('/relying-party'))).text).not.toContain('Ana Ruiz')
    expect((await starter.get(callback)).text).toContain('Hello, Ana Ruiz')
  })

  it('says why a login failed', async () => {
    const browser = await openConsole()
    const page = await browser.get(at('/relying-party/login'))
    const cancelled = await browser.submit(`${page.url}/cancel`, {})
    expect(cancelled.url).toBe(at('/relying-party?env=pre'))
    expect(cancelled.text).toContain('access_denied')
    expect(cancelled.text).toMatch(/role="alert">The IDP did not confirm the login/)
    await signOut(browser)
    expect((await browser.get(at('/relying-party'))).text).not.toContain('access_denied')
  })

  it('names the rules that a rejected presentation broke', async () => {
    const wallet = createWallet({
      account: ana.account,
      store: ana.store,
      faults: findFaults(['presentation-wrong-aud']),
      http: { allowPrivateAddresses: true },
    })
    const browser = await openConsole()
    const page = await logIn(browser, wallet)
    const cancelled = await browser.submit(`${page}/cancel`, {})
    expect(cancelled.text).toMatch(/data-rule="presentation\.audience"/)
    const [, explained = ''] = /href="(\/sessions\/pre\/[^"]+)"/.exec(cancelled.text) ?? []
    expect((await browser.get(at(explained))).text).toContain('presentation.audience')
    // Another login of the same browser has not been rejected.
    const next = await browser.get(at('/relying-party/login'))
    const { text } = await browser.submit(`${next.url}/cancel`, {})
    expect(text).toContain('access_denied')
    expect(text).not.toContain('presentation.audience')
  })

  it('shows names from a credential as text', async () => {
    const claims = {
      organization: '<img src=x onerror=alert(1)>',
      given_name: '<b>Eve</b>',
      family_name: '"Quote"',
    }
    const { body: token } = await shared.control('/pre/bearer-tokens', {
      json: { organization_identifier: 'VATES-B87654321', claims },
    })
    const qr = await send(`${shared.pre.issuerBaseUrl}/issuance/representative`, {
      headers: { authorization: `Bearer ${token.access_token}` },
      json: { power: shared.pre.organizations[1]?.authorizedPowers },
    })
    const eve = await createHolder(readQrPng(Buffer.from(await qr.arrayBuffer())))
    const browser = await openConsole()
    const { text } = await browser.get(await logIn(browser, eve))
    expect(text).toContain('Hello, &lt;b&gt;Eve&lt;/b&gt; &quot;Quote&quot;')
    expect(text).toContain('<strong>&lt;img src=x onerror=alert(1)&gt;</strong>')
    expect(text).not.toMatch(/<img|<b>/)
  })

  it('requires the cookie of the console', async () => {
    for (const path of ['/relying-party', '/relying-party/login']) {
      expect((await fetch(at(path), { redirect: 'manual' })).status).toBe(401)
    }
    const { status } = await callJson(at('/console/sign-ins/pre/relying-party'), {
      method: 'DELETE',
    })
    expect(status).toBe(401)
  })
})

describe('the redirect address of the relying party', () => {
  it.each([
    ['with the cookie of the console', openConsole],
    ['without a cookie', async () => createHttpBrowser()],
  ])('leaves the code of another program unused, %s', async (_, open) => {
    const browser = await open()
    const page = await openLogin(shared.pre, browser)
    await present(ana, linkOf(page), environmentTrust({ environment: shared.pre }, ana))
    const shown = await browser.get(page.url)
    const { searchParams } = new URL(shown.url)
    expect([shown.status, searchParams.get('state')]).toEqual([200, 'a-state'])
    expect(shown.text).toContain(searchParams.get('code'))

    const { idpBaseUrl, oidcClient } = shared.pre
    const basic = `${oidcClient.clientId}:${oidcClient.clientSecret}`
    const exchanged = await fetch(`${idpBaseUrl}/accounts/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: searchParams.get('code') ?? '',
        redirect_uri: oidcClient.redirectUri,
      }),
    })
    expect([exchanged.status, await exchanged.json()]).toEqual([
      200,
      expect.objectContaining({ token_type: 'Bearer' }),
    ])
  })

  it('serves clients that a user has registered', async () => {
    const answer = await fetch(at('/callback/pre/another-client?code=abc&state=x'))
    const text = await answer.text()
    expect([answer.status, text]).toEqual([200, expect.stringContaining('abc')])
    expect(text).toContain('<a href="/">Testbed console</a>')
  })

  it('shows what was returned as text', async () => {
    const query = new URLSearchParams({ error: '<script>', error_description: '"<img src=x>' })
    const text = await (await fetch(at(`/callback/pre/relying-party?${query}`))).text()
    expect(text).toContain('<code>&lt;script&gt;</code>')
    expect(text).toContain('<code>&quot;&lt;img src=x&gt;</code>')
    expect(text).not.toMatch(/<script|<img/)
  })
})
