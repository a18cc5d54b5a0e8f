import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { type LoginSystem, startLoginSystem } from '#test/support/login-system.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
}, 60_000)
afterAll(() => browser?.close())

const linkOf = (page: Page) =>
  page.$eval('#same-device', (element) => element.getAttribute('href') ?? '')

/** The page stays at its success, which otherwise is over in a moment. */
const holdSuccess = `{
  const { setTimeout } = window
  window.setTimeout = (work, time) => (time === 600 ? 0 : setTimeout(work, time))
}`

/** Each page and state of a login, as people come to it; the browser stays there. */
const states: Readonly<Record<string, (page: Page, system: LoginSystem) => Promise<unknown>>> = {
  async pending(page, system) {
    await page.goto((await system.beginLogin()).url)
    return page.waitForSelector('[data-state="pending"]')
  },
  async failed(page, system) {
    await page.goto((await system.beginLogin()).url)
    system.runtime.activeFaults.add('tir-down')
    await system.present(await linkOf(page), { form: { state: 'another' } })
    system.runtime.activeFaults.clear()
    await page.waitForSelector('[data-state="failed"]')
    return page.click('summary')
  },
  async expired(page, system) {
    await page.goto((await system.beginLogin()).url)
    system.runtime.advance(30)
    return page.waitForSelector('[data-state="expired"]')
  },
  async success(page, system) {
    await page.evaluateOnNewDocument(holdSuccess)
    await page.goto((await system.beginLogin()).url)
    await system.present(await linkOf(page))
    return page.waitForSelector('[data-state="success"]')
  },
  async 'wrong request'(page, system) {
    await page.goto(`${(await system.beginLogin()).url}&client_id=another`)
    return page.waitForSelector('[data-code^="invalid_request"]')
  },
  async 'server error'(page, system) {
    system.runtime.activeFaults.add('verifier-down')
    await page.goto((await system.beginLogin()).url)
    system.runtime.activeFaults.clear()
    return page.waitForSelector('[data-code="verifier_unavailable"]')
  },
  'on another device': (page, { baseUrl }) =>
    page.goto(`${baseUrl}/accounts/interaction/another/return?response_code=x`),
}

describe('axe-core finds nothing', () => {
  it.each(
    Object.keys(states).flatMap((state) => ['en', 'es'].map((language) => [state, language])),
  )('on the page “%s” in %s, on a phone by day and a desk by night', async (state, language) => {
    const system = await startLoginSystem((config) => ({
      ...config,
      qrExpirationTime: 30,
      pollMilliseconds: 100,
    }))
    const context = await browser.createBrowserContext()
    const page = await context.newPage()
    await page.setExtraHTTPHeaders({ 'accept-language': language })
    await states[state]?.(page, system)
    expect(await page.$eval('html', ({ lang }) => lang)).toBe(language)
    await expectAccessible(page)
    await context.close()
  })
})
