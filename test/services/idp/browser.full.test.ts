import type { Page } from 'puppeteer-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBrowserPages } from '#scenarios/harness/browser-pages.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { type LoginSystem, relyingParty, startLoginSystem } from '#test/support/login-system.ts'
import { openBrowser } from '#test/support/open-console.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'

const browser = await openBrowser()

async function startBrowser() {
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
  const openLogin = async ({ width = 900, height = 900, script = true } = {}) => {
    const login = await system.beginLogin()
    const { page, redirected } = await pages.open({ redirectUri: relyingParty.redirectUri })
    const problems: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    await page.setViewport({ width, height })
    await page.setJavaScriptEnabled(script)
    await page.goto(login.url)
    const finish = async () => (await login.finish((await redirected).href)).claims()
    return { login, page, redirected, finish, problems }
  }
  return { system, pages, openLogin }
}

async function openLogin(options: { width?: number; height?: number; script?: boolean } = {}) {
  const { openLogin: open, ...rest } = await startBrowser()
  return { ...rest, ...(await open(options)) }
}

/** The QR code as a camera sees it. */
async function scan(page: Page): Promise<string> {
  const result = readQrPng(await page.screenshot({ fullPage: true }))
  return result.ok ? result.text : result.reason
}

const stateIs = (page: Page, state: string) => page.waitForSelector(`#login[data-state="${state}"]`)

const textOf = (page: Page, selector: string) =>
  page.$eval(selector, (element) => element.textContent)

describe('the page in a real browser', () => {
  // @row 1.what-the-service-does.2 1.states-and-transitions.6
  it('reports the success and returns to the relying party automatically', async () => {
    const { system, page, finish, problems } = await openLogin()
    const link = await scan(page)
    // Awaited from before the presentation: the page shows a success for less than a second.
    const isSuccess = `document.querySelector('#login[data-state="success"]')`
    const text = `document.querySelector('#accepted-message')?.textContent`
    const shown = page.waitForFunction(`${isSuccess} && ${text}`, { polling: 'mutation' })
    const [found] = await Promise.all([shown, system.present(link)])
    expect(await found.jsonValue()).toContain('accepted')
    expect((await finish())?.name).toBe('Ana Ruiz')
    expect(problems).toEqual([])
  })

  it('works without scripts', async () => {
    const { system, page, finish } = await openLogin({ script: false })
    await system.present(await scan(page))
    await Promise.all([page.waitForNavigation(), page.click('#continue')])
    expect((await finish())?.name).toBe('Ana Ruiz')
  })

  it('continues at the address to which the wallet on the same phone returns', async () => {
    const { system, pages, page, login } = await openLogin({ width: 360, height: 640 })
    const link = await page.$eval('#same-device', (element) => element.getAttribute('href'))
    expect(link).toBe(await scan(page))
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    // A phone suspends the page behind the wallet; otherwise that page would continue first.
    await page.goto('about:blank')
    const { redirect_uri: address = '' } = await system.present(link ?? '')
    const { page: opened, redirected } = await pages.open({ redirectUri: relyingParty.redirectUri })
    await opened.goto(address)
    expect((await login.finish((await redirected).href)).claims()?.name).toBe('Ana Ruiz')
  })

  // @row 1.states-and-transitions.7 1.errors.10
  it('shows automatically why a login failed; the button creates a code that works', async () => {
    const { system, page, finish } = await openLogin()
    await system.present(await scan(page), { form: { state: 'x' } })
    await stateIs(page, 'failed')
    expect(await textOf(page, '#reason')).toContain('invalid response')
    await page.click('#renew')
    await stateIs(page, 'pending')
    await system.present(await scan(page))
    expect((await finish())?.name).toBe('Ana Ruiz')
  })

  it('continues after a connection that never answers', async () => {
    const { system, page, finish } = await openLogin()
    const link = await scan(page)
    await page.evaluate(`{
      const { fetch } = window
      window.fetch = (address, { signal }) => {
        window.fetch = fetch
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      }
    }`)
    await page.waitForFunction('window.fetch.toString().includes("native code")')
    await system.present(link)
    expect((await finish())?.name).toBe('Ana Ruiz')
  })

  it('counts down to the expiry of a code, and shows it automatically', async () => {
    const { system, page, finish } = await openLogin()
    const remaining = async () => Number((await textOf(page, '#remaining')).replace('0:', ''))
    const first = await remaining()
    expect(first).toBeLessThanOrEqual(30)
    await expect.poll(remaining).toBeLessThan(first)
    const expired = await scan(page)
    system.runtime.advance(30)
    await stateIs(page, 'expired')
    await page.click('#renew')
    await stateIs(page, 'pending')
    const renewed = await scan(page)
    expect(renewed).not.toBe(expired)
    await system.present(renewed)
    expect((await finish())?.name).toBe('Ana Ruiz')
  })

  it('returns on cancel within its form policy; the back button does not show the old code', async () => {
    const { page, redirected, problems } = await openLogin()
    await Promise.all([page.waitForNavigation(), page.click('#cancel')])
    expect((await redirected).searchParams.get('error')).toBe('access_denied')
    await page.goBack()
    await page.waitForSelector('#message[data-code="login_expired"]')
    expect(await page.$('#qr')).toBeNull()
    expect(problems.filter((text) => !text.includes('400'))).toEqual([])
  })

  it('keeps two logins in two tabs separate', async () => {
    const { system, openLogin } = await startBrowser()
    const [one, two] = [await openLogin(), await openLogin()]
    const [first, second] = [await scan(one.page), await scan(two.page)]
    expect(first).not.toBe(second)
    await system.present(second)
    expect((await two.finish())?.name).toBe('Ana Ruiz')
    await stateIs(one.page, 'pending')
    await system.present(first)
    expect((await one.finish())?.name).toBe('Ana Ruiz')
  })

  it('says that a login is over after the back button or the end of its session', async () => {
    const { system, page, redirected } = await openLogin()
    const { href } = new URL(page.url())
    const arrived = page.waitForNavigation()
    await system.present(await scan(page))
    await Promise.all([redirected, arrived])
    await page.goto(href)
    await page.waitForSelector('#message[data-code="login_expired"]')

    const another = await openLogin()
    await another.page.deleteCookie(...(await another.page.cookies()))
    await another.page.reload()
    await another.page.waitForSelector('#message[data-code="login_expired"]')
  })

  // @row 1.errors.9
  it('reports a server error, and continues once the server has recovered', async () => {
    const { system, page, finish } = await openLogin()
    system.runtime.activeFaults.add('database-down')
    await page.reload()
    await page.waitForSelector('#message[data-code="database_unavailable"]')
    const text = await textOf(page, 'main')
    expect(text).not.toMatch(/ at |Error:|sqlite|select/i)
    system.runtime.activeFaults.clear()
    await page.reload()
    await system.present(await scan(page))
    expect((await finish())?.name).toBe('Ana Ruiz')
  })
})

const linkOf = (page: Page) =>
  page.$eval('#same-device', (element) => element.getAttribute('href') ?? '')

/** Keeps the page at its success, which is otherwise visible only briefly. */
const holdSuccess = `{
  const { setTimeout } = window
  window.setTimeout = (work, time) => (time === 600 ? 0 : setTimeout(work, time))
}`

/** Reaches each page and state of a login as a user does; the browser remains there. */
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

describe('axe-core finds no problem', () => {
  it.each(
    Object.keys(states).flatMap((state) => ['en', 'es'].map((language) => [state, language])),
  )(
    'on the page “%s” in %s, on a phone in light mode and a desktop in dark mode',
    async (state, language) => {
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
    },
  )
})
