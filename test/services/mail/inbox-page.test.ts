import { createTransport } from 'nodemailer'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { createMailService, type MailService } from '#services/mail/create-mail-service.ts'
import { findAccessibilityProblems } from '#test/support/accessibility.ts'
import { createTestRuntime, type RunningService, startService } from '#test/support/services.ts'

let server: RunningService<MailService>
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    startService((baseUrl) => createMailService({ baseUrl }, createTestRuntime())),
    launchBrowser(),
  ])
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const widths = { phone: 360, desktop: 1280 }

/** Opens a page at both widths; each time it fits, and axe-core finds no problem. */
async function look(path: string, inspect: (page: Page) => Promise<void>): Promise<void> {
  for (const [name, width] of Object.entries(widths)) {
    const page = await browser.newPage()
    await page.setViewport({ width, height: 740 })
    // The page may not run scripts, but axe-core must.
    await page.setBypassCSP(true)
    await page.goto(server.baseUrl + path)
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect([name, overflow]).toEqual([name, 0])
    expect([name, await findAccessibilityProblems(page)]).toEqual([name, []])
    await inspect(page)
    await page.close()
  }
}

const textOf = (page: Page) => page.evaluate('document.body.innerText') as Promise<string>

it.each([
  ['en', 'No emails yet', 'Testbed console'],
  ['es', 'Todavía no hay correos', 'Consola del banco de pruebas'],
])('the inbox is in the language of the browser: %s', async (language, empty, console) => {
  const runtime = { ...createTestRuntime(), consoleUrl: 'http://127.0.0.1:9' }
  const mail = await startService((baseUrl) => createMailService({ baseUrl }, runtime))
  onTestFinished(() => mail.stop())
  const text = await (
    await fetch(`${mail.baseUrl}/`, { headers: { 'accept-language': language } })
  ).text()
  expect(text).toContain(`<html lang="${language}">`)
  expect(text).toContain(empty)
  expect(text).toContain(console)
})

describe('the inbox in a browser, on phone and desktop', () => {
  it('says that it is empty instead of showing an empty list', async () => {
    await look('/', async (page) => {
      expect(await textOf(page)).toMatch(/No emails yet/)
      expect(await page.$('table, th, ul, li')).toBeNull()
    })
  })

  it('shows each email with its inline QR code', async () => {
    const link = `openid-credential-offer://?credential_offer_uri=${'x'.repeat(200)}`
    await createTransport(server.service.smtpUrl).sendMail({
      from: 'Issuer <issuer@example.org>',
      to: 'a.person.with.a.rather.long.address@department.organization.example.org',
      subject: 'Your credential from a company with a name that is longer than most are',
      text: link,
      html: `<p>Scan</p><img src="cid:qr" alt="QR"><p><a href="${link}">open</a></p>`,
      attachments: [{ filename: 'qr.png', content: createQrPng(link), cid: 'qr' }],
    })
    await look('/', async (page) => {
      expect(await textOf(page)).toContain('Your credential from a company')
      expect(await page.$$('li')).toHaveLength(1)
    })
    const page = await browser.newPage()
    await page.goto(server.baseUrl)
    const href = (await page.$eval('li a', (anchor) => anchor.getAttribute('href'))) ?? ''
    await page.close()
    await look(href, async (shown) => {
      const frame = await (await shown.waitForSelector('iframe'))?.contentFrame()
      const width = await frame?.evaluate('document.querySelector("img").naturalWidth')
      expect(width).toBeGreaterThan(100)
      expect(await textOf(shown)).toContain(link.slice(0, 60))
    })
  })

  it('follows the emails without taking the focus away', async () => {
    const send = (subject: string) =>
      createTransport(server.service.smtpUrl).sendMail({
        from: 'a@example.org',
        to: 'b@example.org',
        subject,
        text: subject,
      })
    await send('The one that is read')
    const page = await browser.newPage()
    await page.goto(server.baseUrl)
    await page.keyboard.press('Tab')
    const read = () => page.evaluate('[document.activeElement.innerText, timeOrigin].join()')
    await page.evaluate('globalThis.timeOrigin = performance.timeOrigin')
    const before = await read()
    expect(before).toContain('The one that is read')
    await send('The next one')
    await page.waitForFunction('document.querySelector("li").innerText.includes("The next one")')
    expect(await read()).toBe(before)
    await page.close()
  })

  it.each([
    ['/messages/deleted', 'This email does not exist, or it was deleted.'],
    ['/no-such-page', 'There is no page at this address.'],
  ])('leads back from %s', async (path, text) => {
    expect((await fetch(server.baseUrl + path, { headers: { accept: 'text/html' } })).status).toBe(
      404,
    )
    await look(path, async (page) => {
      expect(await textOf(page)).toContain(text)
      expect(await page.$eval('main a', (link) => link.getAttribute('href'))).toBe('/')
    })
  })
})

it('the browser reports no problem with a page', async () => {
  for (const path of ['/', '/unknown']) {
    const page = await browser.newPage()
    const reported: string[] = []
    page.on('console', (message) => reported.push(message.text()))
    const response = await page.goto(server.baseUrl + path, { waitUntil: 'networkidle0' })
    const isFound = response?.status() === 200
    // A browser always reports the status of the page itself.
    expect(reported.filter((text) => isFound || !text.includes('404'))).toEqual([])
    await page.close()
  }
})
