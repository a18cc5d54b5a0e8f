import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createBrowserPages } from '#scenarios/harness/browser-pages.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { relyingParty, startLoginSystem } from '#test/support/start-login-system.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-png.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
}, 60_000)

afterAll(() => browser?.close())

async function openLogin(viewport = { width: 900, height: 900 }) {
  const system = await startLoginSystem((config) => ({
    ...config,
    qrExpirationTime: 30,
    pollMilliseconds: 100,
  }))
  const pages = createBrowserPages(
    async () => browser,
    () => 'test',
  )
  onTestFinished(() => pages.close())
  const login = await system.beginLogin()
  const { page, redirected } = await pages.open({ redirectUri: relyingParty.redirectUri })
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  await page.setViewport(viewport)
  await page.goto(login.url)
  return { system, login, page, redirected, problems }
}

/** The code as a camera sees it. */
async function scan(page: Page): Promise<string> {
  const result = readQrPng(await page.screenshot({ fullPage: true }))
  return result.ok ? result.text : result.reason
}

const stateIs = (page: Page, state: string) =>
  page.waitForSelector(`#login[data-state="${state}"]`, { timeout: 10_000 })

describe('the page in a real browser', () => {
  it('goes back to the relying party by itself once the wallet has presented', async () => {
    const { system, login, page, redirected, problems } = await openLogin()
    await system.present(await scan(page))
    const tokens = await login.finish((await redirected).href)
    expect(tokens.claims()?.name).toBe('Ana Ruiz')
    expect(problems).toEqual([])
  })

  it('can be scanned and read on a phone', async () => {
    const { page } = await openLogin({ width: 360, height: 640 })
    expect(await scan(page)).toMatch(/^openid4vp:/)
    const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    expect(overflow).toBe(false)
    const link = await page.$eval('#same-device', (element) => element.getAttribute('href'))
    expect(link).toBe(await scan(page))
  })

  it('shows by itself why a login failed; the button gives a code that works', async () => {
    const { system, login, page, redirected } = await openLogin()
    await system.present(await scan(page), { form: { state: 'x' } })
    await stateIs(page, 'failed')
    await page.click('#renew')
    await stateIs(page, 'pending')
    await system.present(await scan(page))
    expect((await login.finish((await redirected).href)).claims()?.name).toBe('Ana Ruiz')
  })

  it('shows by itself that a code has expired, and counts down until then', async () => {
    const { system, page } = await openLogin()
    const remaining = await page.$eval('#remaining', (element) => element.textContent)
    expect(remaining).toMatch(/^0:(30|29)$/)
    system.runtime.advance(30)
    await stateIs(page, 'expired')
    await page.click('#renew')
    await stateIs(page, 'pending')
  })

  it('leads back on cancel, with the policy of its forms in force', async () => {
    const { page, redirected, problems } = await openLogin()
    await page.click('#cancel')
    expect((await redirected).searchParams.get('error')).toBe('access_denied')
    expect(problems).toEqual([])
  })

  it('shows that a login is over when somebody goes back to it', async () => {
    const { system, page, redirected } = await openLogin()
    const { href } = new URL(page.url())
    const arrived = page.waitForNavigation()
    await system.present(await scan(page))
    await Promise.all([redirected, arrived])
    await page.goto(href)
    expect(await page.$eval('main', (element) => element.textContent)).toContain('login_expired')
  })
})
