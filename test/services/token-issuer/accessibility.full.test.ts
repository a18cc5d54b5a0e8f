import type { Page } from 'puppeteer-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible } from '#test/support/accessibility.ts'
import { openBrowser } from '#test/support/open-console.ts'
import { beginPortalLogin, password, portal, startTokenIssuer } from '#test/support/token-issuer.ts'

const browser = await openBrowser()
const client = { clientId: 'token-issuer', clientSecret: 'a secret of the token issuer' }
const issuer = await startTokenIssuer((config) => ({
  ...config,
  brokers: [{ alias: 'wallet', issuerUrl: 'http://127.0.0.1:9', ...client }],
}))

async function openPage(): Promise<Page> {
  const page = await (await browser.createBrowserContext()).newPage()
  await page.goto((await beginPortalLogin(issuer.baseUrl)).url)
  return page
}

describe('axe-core finds no problem on the token issuer’s pages', () => {
  it('to log in, also after a wrong password', async () => {
    const page = await openPage()
    await page.type('#username', 'ana')
    await page.type('#password', 'not this one')
    await Promise.all([page.waitForNavigation(), page.click('button[type="submit"]')])
    expect(await page.$('[role="alert"]')).not.toBeNull()
    await expectAccessible(page)
    await page.browserContext().close()
  })

  it('to log out, before and after', async () => {
    const page = await openPage()
    await page.type('#username', 'ana')
    await page.type('#password', password)
    // This redirects to the portal, where no server listens.
    await Promise.all([
      page.waitForNavigation().catch(() => {}),
      page.click('button[type="submit"]'),
    ])
    await page.goto(new URL('/session/end', issuer.baseUrl).href)
    await expectAccessible(page)
    await Promise.all([page.waitForNavigation(), page.click('button[name="logout"]')])
    expect(await page.$eval('h1', (title) => title.textContent)).toBe('You are logged out')
    await expectAccessible(page)
    await page.browserContext().close()
  })

  it('that report an error', async () => {
    const page = await openPage()
    await Promise.all([page.waitForNavigation(), page.click('#broker-wallet')])
    expect(await page.$eval('main', (main) => main.textContent)).toContain('provider_unavailable')
    await expectAccessible(page)
    await page.browserContext().close()
  })
})

describe('logging in with an account in a real browser', () => {
  it('leads to the portal, with the policy of its form in force', async () => {
    const page = await openPage()
    await page.setRequestInterception(true)
    const back = new Promise<string>((resolve) => {
      page.on('request', (request) => {
        if (!request.url().startsWith(portal.redirectUri)) return void request.continue()
        resolve(request.url())
        void request.respond({ status: 200, body: 'at the portal' })
      })
    })
    await page.type('#username', 'ana')
    await page.type('#password', password)
    await page.click('button[type="submit"]')
    expect(new URL(await back).searchParams.get('code')).toEqual(expect.any(String))
  })
})
