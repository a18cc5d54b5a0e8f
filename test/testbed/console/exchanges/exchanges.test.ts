import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'

const shared = shareTestbed()
let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await launchBrowser()
  page = await browser.newPage()
  await page.goto(shared.testbed.createConsoleLink())
})
afterAll(() => browser.close())

const open = (query = '') => page.goto(`${shared.file.consoleUrl}/exchanges${query}`)
const row = (label: string) => `xpath/.//*[@data-row][contains(., "${label}")]`
const diagram = 'document.querySelector("#diagram .diagram")'
const textOf = (selector: string) => page.$eval(selector, ({ textContent }) => textContent)

/** Opens a message by keyboard. */
async function choose(label: string) {
  await page.waitForSelector(row(label))
  const rows = '[...document.querySelectorAll("[data-row]")]'
  await page.evaluate(
    `${rows}.find(({ textContent }) => textContent.includes(${JSON.stringify(label)})).focus()`,
  )
  await page.keyboard.press('Enter')
}

/** Sends a request that a part records, with a marker in its address. */
const ask = (marker: string) =>
  fetch(`${shared.pre.credentialIssuerUrl}/offers/${encodeURIComponent(marker)}`)

async function issue() {
  const wallet = createWallet({ http: { allowPrivateAddresses: true } })
  await acceptOffer(wallet, await shared.order())
}

describe('the live exchanges', () => {
  it('grow as messages flow, and join them to journeys with a name', async () => {
    await open()
    await page.waitForFunction('document.getElementById("message").textContent !== ""')
    await issue()
    await page.waitForSelector(row('POST /credential'))
    const journeys = '[...document.getElementById("journey").options].map(({ label }) => label)'
    await page.waitForFunction(
      `${journeys}.some((label) => /^✓ Issuance to Ana Ruiz · [\\d:]{8} UTC · \\d+$/.test(label))`,
    )
    const lanes = await page.$$eval('.actor-name', (all) => all.map((each) => each.textContent))
    expect(lanes).toEqual(expect.arrayContaining(['Wallet', 'Issuer', 'Connector']))
  })

  it('show request, response and tokens of a message with each claim explained', async () => {
    await issue()
    await open()
    await choose('POST /credential')
    await page.waitForSelector('#exchange-content .token')
    const shown = await textOf('#exchange-content')
    expect(shown).toMatch(/"mandatee": \{ {2}The person who acts for the organization/)
    expect(shown).toMatch(/"exp": \d+ [\d-]+ [\d:]+ UTC,? {2}Expires at this time/)
    expect(await textOf('.evaluated h4')).toMatch(/^Checked by Connector: \d+ rules passed$/)
    // The address leads to the same message.
    await page.reload()
    await page.waitForSelector('#exchange-content .token')
    expect(await textOf('#exchange-content')).toBe(shown)
  })

  it('keep a journey in the address, and filter by part and text', async () => {
    await issue()
    await open('?text=c_nonce')
    await page.waitForSelector(row('POST /token'))
    expect(await page.$(row('GET /.well-known'))).toBeNull()
    await open('?part=issuer')
    await page.waitForSelector(row('POST /preauth-code'))
    expect(await page.$(row('POST /token'))).toBeNull()
    await open()
    await page.waitForSelector(row('POST /token'))
    const value = await page.$eval(
      '#journey',
      (field) => field.querySelectorAll('option')[2]?.value,
    )
    await page.select('#journey', value ?? '')
    expect(new URL(page.url()).searchParams.get('journey')).toBe(value)
  })

  it('show foreign text as text', async () => {
    const hostile = '<img src=x onerror="document.title=1">'
    await ask(hostile)
    await open()
    await choose('onerror')
    expect(await page.$('#diagram img')).toBeNull()
    await page.waitForSelector('#exchange-content .message')
    expect(await page.$('#exchange-content img')).toBeNull()
    expect(await page.title()).toBe('Live exchanges · LEAR testbed')
  })

  it('fit all lanes, with names that do not overlap', async () => {
    const { didRegistryBaseUrl, tirBaseUrl } = shared.pre
    await fetch(`${didRegistryBaseUrl}/api/v1/identifiers`)
    await fetch(`${tirBaseUrl}/v5/issuers`)
    await open('?journey=all')
    await page.waitForSelector('[data-row]')
    const lanes = (await page.evaluate(`[...document.querySelectorAll('.actor')].map((box) => {
      const [own, name] = [box, box.nextElementSibling].map((each) => each.getBoundingClientRect())
      return { left: own.left, right: own.right, isInside: name.left >= own.left && name.right <= own.right }
    })`)) as { left: number; right: number; isInside: boolean }[]
    expect(lanes.length).toBeGreaterThanOrEqual(8)
    for (const [index, { left, isInside }] of lanes.entries()) {
      expect(isInside).toBe(true)
      expect(left).toBeGreaterThan(lanes[index - 1]?.right ?? 0)
    }
    const overflow = '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)'
    expect(await page.evaluate(`${overflow}(${diagram})`)).toBe(0)
  })

  it('stay where the reader is, and follow the newest message at the end', async () => {
    await open('?journey=all')
    await page.waitForSelector('[data-row]')
    const distance = `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(${diagram})`
    const isJumpShown = 'document.querySelector("#diagram .jump") !== null'
    // The diagram is drawn again when it gets its size, in the same frame as its first rows.
    await page.waitForFunction(`${distance} === 0`)
    expect(await page.evaluate(isJumpShown)).toBe(false)
    // The scroll is handled before the diagram is drawn in its new size.
    await page.evaluate(`new Promise((done) => {
      ${diagram}.style.height = '150px'
      ${diagram}.dispatchEvent(new Event('scroll'))
      requestAnimationFrame(() => setTimeout(done))
    })`)
    expect(await page.evaluate(distance)).toBe(0)
    expect(await page.evaluate(isJumpShown)).toBe(false)
    await page.evaluate(`${diagram}.scrollTop = 200`)
    await page.waitForFunction(isJumpShown)
    const height = Number(await page.evaluate(`${diagram}.scrollHeight`))
    await ask('while-reading')
    await page.waitForFunction(`${diagram}.scrollHeight > ${height}`)
    expect(await page.evaluate(`${diagram}.scrollTop`)).toBe(200)
    await page.click('#diagram .jump')
    await page.waitForSelector(row('while-reading'))
    expect(await page.evaluate(isJumpShown)).toBe(false)
    expect(await page.evaluate(`document.activeElement === ${diagram}`)).toBe(true)
    await ask('while-following')
    await page.waitForSelector(row('while-following'))
    expect(await page.evaluate(distance)).toBe(0)
    expect(await page.evaluate(isJumpShown)).toBe(false)
  })

  it('pause and continue', async () => {
    await open()
    await page.waitForSelector('[data-row]')
    await page.click('#pause')
    await ask('while-paused')
    await page.waitForFunction(
      '/^Paused, \\d+ more$/.test(document.getElementById("count").textContent)',
    )
    expect(await page.$(row('while-paused'))).toBeNull()
    await page.click('#pause')
    await page.waitForSelector(row('while-paused'))
  })

  it('are readable with axe-core, with a message open', async () => {
    await open()
    await choose('POST /token')
    await page.waitForSelector('#exchange-content .message')
    await expectAccessible(page)
  })

  it('become a drawing, a Mermaid diagram and a HAR file', async () => {
    await open()
    await page.waitForSelector(row('POST /token'))
    await page.evaluate(`
      window.saved = []
      URL.createObjectURL = (blob) => (saved.push(blob.text()), 'data:,')
      HTMLAnchorElement.prototype.click = () => {}`)
    for (const format of ['svg', 'mermaid', 'har']) await page.click(`[data-export="${format}"]`)
    await page.waitForFunction('saved.length === 3')
    const files = (await page.evaluate('Promise.all(saved)')) as string[]
    const svg = files.find((text) => text.startsWith('<svg'))
    // In its own style: a program that shows it does not have that of the page.
    expect(svg).toMatch(/fill="rgb\(/)
    expect(svg).not.toMatch(/class="hop|var\(/)
    expect(files.find((text) => text.startsWith('sequenceDiagram'))).toContain('POST /token 200')
    const har = JSON.parse(files.find((text) => text.startsWith('{')) ?? '{}')
    const token = har.log.entries.find(({ request }: { request: { url: string } }) =>
      request.url.endsWith('/token'),
    )
    // Secrets are masked: only the first characters of the code are there.
    expect(token.request.postData.text).toMatch(/"pre-authorized_code":"[\w-]{8}…"/)
  })

  it('announce to continue after an outage, but not after the end of the session', async () => {
    const other = await browser.newPage()
    await other.setRequestInterception(true)
    let isRunning = false
    other.on('request', (request) => {
      if (!request.url().includes('/console/exchanges/stream')) void request.continue()
      else if (isRunning) void request.respond({ status: 401 })
      else void request.abort('connectionrefused')
    })
    await other.goto(`${shared.file.consoleUrl}/exchanges`)
    const message = 'document.getElementById("message").textContent'
    await other.waitForFunction(`${message}.includes("continues when it does")`)
    isRunning = true
    await other.waitForFunction(`${message} === ""`)
    await other.close()
  })

  it('need the session of the console', async () => {
    for (const path of ['/exchanges', '/console/exchanges/1', '/console/exchanges/stream']) {
      expect((await fetch(`${shared.file.consoleUrl}${path}`)).status).toBe(401)
    }
  })

  it('report an exchange that is not recorded', async () => {
    expect(
      await page.evaluate('fetch("/console/exchanges/999999").then((answer) => answer.json())'),
    ).toMatchObject({ error: 'unknown_exchange' })
  })
})
