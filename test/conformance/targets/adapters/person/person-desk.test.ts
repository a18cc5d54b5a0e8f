import type { Page } from 'puppeteer-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import type { OpenPlanOptions } from '#conformance/kit/plan.ts'
import { openPersonDesk } from '#conformance/targets/adapters/person/open-person-desk.ts'
import { createWalletDriver } from '#conformance/targets/adapters/wallet-driver.ts'
import { startKitServer } from '#conformance/world/start-kit-server.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { openBrowser } from '#test/support/open-console.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'

const browser = await openBrowser()

const link = `openid-credential-offer://?credential_offer_uri=${encodeURIComponent('http://127.0.0.1:4711/offers/12')}`

async function openDesk(askPerson?: OpenPlanOptions['askPerson'], targetName = 'Wallet <b>1</b>') {
  const exchanges = createExchangeLog()
  const server = await startKitServer({ exchanges, caller: 'wallet' })
  const desk = openPersonDesk({ server, exchanges, targetName, askPerson })
  const drive = (timeoutSeconds = 20, signal = AbortSignal.timeout(20_000)) =>
    createWalletDriver({ type: 'person', timeoutSeconds }, { exchanges, signal, desk })
  onTestFinished(async () => {
    desk.close()
    await server.close()
  })
  return { exchanges, server, desk, drive }
}

async function openPage(url: string, { script = true } = {}) {
  const page = await (await browser.createBrowserContext()).newPage()
  onTestFinished(() => page.browserContext().close())
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type()))
      problems.push(`${message.text()} ${message.location().url}`)
  })
  await page.setJavaScriptEnabled(script)
  await page.goto(url)
  return { page, problems }
}

const textOf = (page: Page, selector: string) =>
  page.$eval(selector, (element) => element.textContent?.trim())

describe('the pages for a person with a wallet', () => {
  it('show the code, the link and the PIN when a task begins, and send the answer', async () => {
    const { desk, drive, exchanges } = await openDesk()
    const { page, problems } = await openPage(desk.url)
    await page.waitForSelector('#waiting')
    await expectAccessible(page)

    const offered = drive().acceptOffer({ link, pin: '493536' })
    await page.waitForSelector('#task')
    expect(await page.$eval('h1', (title) => title.matches(':focus'))).toBe(true)
    expect(await textOf(page, '.pin strong')).toBe('493536')
    expect(await page.$eval('#same-device', (a) => a.getAttribute('href'))).toBe(link)
    expect(await textOf(page, '.words .small')).toBe('Wallet <b>1</b> · step 1')
    await expectAccessible(page)
    const seen = readQrPng(await page.screenshot({ fullPage: true }))
    expect(seen).toMatchObject({ ok: true, text: link })
    await page.type('#why', 'I do not know this <issuer>')
    await page.click('button[value="refused"]')
    expect(await offered).toMatchObject({
      outcome: 'refused',
      reason: 'A person observed that it refused: I do not know this <issuer>',
      source: 'a person',
    })
    await page.waitForSelector('#waiting')

    const presented = drive().present({ link: 'openid4vp://?client_id=x' })
    await page.waitForSelector('#task')
    expect(await page.$('.pin')).toBeNull()
    await page.click('button[value="accepted"]')
    expect(await presented).toMatchObject({
      outcome: 'done',
      reason: 'A person observed that it accepted.',
    })
    const hops = exchanges.take()
    expect(hops.map(({ kind, url }) => `${kind} ${url}`)).toEqual([
      'person accept-offer',
      'person present',
    ])
    await page.waitForSelector('#waiting')
    // A reader of the report of a run in progress must not be able to answer in the person's place.
    expect(JSON.stringify(hops)).not.toContain(new URL(desk.url).pathname)

    desk.close()
    await page.waitForSelector('#over')
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  it('work without a script', async () => {
    const { desk, drive } = await openDesk()
    const { page } = await openPage(desk.url, { script: false })
    const presented = drive().present({ link: 'openid4vp://?client_id=x' })
    await Promise.all([page.waitForNavigation(), page.click('#waiting a')])
    await Promise.all([page.waitForNavigation(), page.click('button[value="nothing"]')])
    expect(await presented).toMatchObject({ outcome: 'failed', source: 'a person' })
    expect(await page.$('#waiting')).not.toBeNull()
  })
})

/** The served page. */
const load = async (url: string) => (await fetch(url)).text()
const taskOf = (text: string) => /name="task" value="([^"]+)"/.exec(text)?.[1] ?? ''
const send = (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${url}answers`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
    redirect: 'manual',
  })

describe('a task', () => {
  it.each([
    'javascript:alert(1)',
    ' \tJavaScript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'openid4vp://?x="><script>alert(1)</script>',
    `openid4vp://?x='onclick='alert(1)`,
  ])('with the link %j puts no script into the page', async (hostile) => {
    const { desk, drive } = await openDesk()
    const presented = drive().present({ link: hostile })
    const text = await load(desk.url)
    expect(text).not.toMatch(/<script>|'onclick|href="\s*(?:javascript|data):[^,]/i)
    await send(desk.url, { task: taskOf(text), did: 'skipped' })
    expect((await presented).outcome).toBe('failed')
  })

  it('with a link too long for a QR code shows only the link', async () => {
    const { desk, drive } = await openDesk()
    const presented = drive().present({ link: `openid4vp://?request=${'a'.repeat(4000)}` })
    const text = await load(desk.url)
    expect(text).not.toContain('id="qr"')
    expect(text).toContain('id="same-device"')
    await send(desk.url, { task: taskOf(text), did: 'accepted' })
    expect((await presented).outcome).toBe('done')
  })

  it('shows the same text regardless of the expected result', async () => {
    const words = []
    for (const each of ['openid4vp://?good', 'openid4vp://?evil']) {
      const { desk, drive } = await openDesk(undefined, 'My wallet')
      const presented = drive().present({ link: each })
      const text = await load(desk.url)
      words.push(text.replace(/(?:value|data-version|src|href)="[^"]*"/g, ''))
      await send(desk.url, { task: taskOf(text), did: 'skipped' })
      await presented
    }
    expect(words[0]).toBe(words[1])
  })

  it('that is not answered in time is inconclusive', async () => {
    const { drive } = await openDesk()
    expect(await drive(0.1).present({ link })).toMatchObject({
      outcome: 'timed-out',
      reason: 'No person answered within 0.1 seconds.',
    })
    expect(await drive(20, AbortSignal.abort()).present({ link })).toMatchObject({
      outcome: 'timed-out',
    })
  })

  it('ignores a late answer to the previous task', async () => {
    const { desk, drive } = await openDesk()
    const first = drive(0.2).present({ link })
    const late = taskOf(await load(desk.url))
    await first
    const second = drive().present({ link })
    expect((await send(desk.url, { task: late, did: 'refused' })).status).toBe(303)
    await send(desk.url, { task: taskOf(await load(desk.url)), did: 'accepted' })
    expect((await second).outcome).toBe('done')
  })

  it('can be answered elsewhere, with a screenshot for the evidence', async () => {
    const screenshot = createQrPng('the wallet').toString('base64')
    const { drive, exchanges } = await openDesk(async () => ({
      did: 'refused',
      note: 'No',
      screenshot,
    }))
    expect(await drive().present({ link })).toMatchObject({
      outcome: 'refused',
      reason: 'A person observed that it refused: No',
    })
    expect(exchanges.takeAttachments()).toEqual([
      { name: 'Screenshot of step 1', mimeType: 'image/png', base64: screenshot, step: 0 },
    ])
    expect(exchanges.takeAttachments()).toEqual([])
    expect(JSON.stringify(exchanges.take())).not.toContain(screenshot.slice(0, 40))
  })

  it('is withdrawn elsewhere once the page has answered it', async () => {
    const withdrawn = Promise.withResolvers<void>()
    const { desk, drive } = await openDesk((question, signal) => {
      expect(question).toEqual({ verb: 'present', link, number: 1, timeoutMilliseconds: 20_000 })
      signal.addEventListener('abort', () => withdrawn.resolve())
      return new Promise(() => {})
    })
    const presented = drive().present({ link })
    await send(desk.url, { task: taskOf(await load(desk.url)), did: 'accepted' })
    expect((await presented).outcome).toBe('done')
    await withdrawn.promise
  })

  it('waits for the page if there is no terminal', async () => {
    const { desk, drive } = await openDesk(async () => undefined)
    const presented = drive().present({ link })
    await send(desk.url, { task: taskOf(await load(desk.url)), did: 'accepted' })
    expect((await presented).outcome).toBe('done')
  })
})

describe('no other client can answer', () => {
  it('without the address, by an invalid form, or from another site', async () => {
    const { desk, drive, server } = await openDesk()
    const presented = drive(1).present({ link })
    const task = taskOf(await load(desk.url))
    const form = { task, did: 'refused' }
    expect((await send(`${server.origin}/person/`, form)).status).toBe(404)
    expect((await send(desk.url, { task, did: 'broke' })).status).toBe(400)
    expect((await send(desk.url, form, { 'content-type': 'text/plain' })).status).toBe(400)
    expect((await send(desk.url, form, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await send(desk.url, { ...form, why: 'x'.repeat(20_000) })).status).toBe(400)
    expect((await presented).outcome).toBe('timed-out')
  })

  it('because the address has 128 random bits and is not sent to other sites', async () => {
    const [one, other] = [await openDesk(), await openDesk()]
    const secretOf = (url: string) => /\/person\/([\w-]{22,})\/$/.exec(url)?.[1]
    expect(secretOf(one.desk.url)).not.toBe(secretOf(other.desk.url))
    const { headers } = await fetch(one.desk.url)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
  })
})
