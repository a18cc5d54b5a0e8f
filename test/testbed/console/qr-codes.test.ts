import { describe, expect, it } from 'vitest'
import { findLink } from '#core/link/find-link.ts'
import { openBrowser } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { offerCodes } from '#testbed/console/qr-codes/offer-codes.ts'
import { requestCodes } from '#testbed/console/qr-codes/request-codes.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'

const shared = shareTestbed()
const makeCode = async (group: string, name: string) => {
  const { status, body } = await shared.callConsole('POST', '/console/test-codes', {
    env: 'pre',
    group,
    name,
  })
  expect(status).toBe(201)
  return body
}
const createWallet = async () => {
  const json = { env: 'pre', name: crypto.randomUUID() }
  return (await shared.callConsole('POST', '/console/wallets', json)).body.id
}
const scan = async (id: string, json: object) =>
  (await shared.callConsole('POST', `/console/wallets/${id}/scan`, json)).body.activity
const rulesOf = ({ brokenRules }: { brokenRules: readonly { rule: string }[] }) =>
  brokenRules.map(({ rule }) => rule)

describe('the test QR codes', () => {
  it.each(offerCodes.filter(({ name }) => name !== 'offer-deferred'))(
    'offer what the list says: $name',
    async ({ name, rejected }) => {
      const { link, pin } = await makeCode('offers', name)
      if (name === 'offer-expired') {
        await shared.control('/clock', { json: { advance_seconds: 2 } })
      }
      const { state } = await scan(await createWallet(), { link, ...(pin && { pin }) })
      expect(state).toBe(rejected ? 'stopped' : 'done')
    },
  )

  it('offer a deferred credential', async () => {
    const { link } = await makeCode('offers', 'offer-deferred')
    expect(findLink(link)?.kind).toBe('offer')
  })

  it.each(requestCodes)('request what the list says: $name', async ({ name, rejected, rule }) => {
    const id = await createWallet()
    await scan(id, { link: await shared.order() })
    const { link, sessionId } = await makeCode('requests', name)
    const activity = await scan(id, { link })
    expect(activity.state).toBe(rejected ? 'stopped' : 'done')
    if (rule !== undefined) expect(rulesOf(activity)).toContain(rule)
    const { status } = (await shared.callConsole('GET', `/console/test-codes/${sessionId}?env=pre`))
      .body
    expect(status).toBe(rejected ? 'PENDING' : 'SUCCESS')
  })

  it('offer a credential with the defect, which the wallet finds', async () => {
    const { link } = await makeCode('credentials', 'bad-signature')
    const activity = await scan(await createWallet(), { link })
    expect([activity.state, rulesOf(activity)]).toEqual(['stopped', ['credential.signature']])
  })

  it('contain the link of the page, and are known by name only', async () => {
    const { link, qrPng } = await makeCode('requests', 'request-valid')
    expect(readQrPng(Buffer.from(qrPng, 'base64'))).toEqual({ ok: true, text: link })
    for (const group of ['offers', 'requests', 'credentials']) {
      const json = { env: 'pre', group, name: 'none' }
      expect((await shared.callConsole('POST', '/console/test-codes', json)).status).toBe(404)
    }
  })

  it('are shown with their rule, and can be tried with a wallet', async () => {
    const page = await (await openBrowser()).newPage()
    await page.goto(shared.testbed.createConsoleLink())
    await page.goto(`${shared.file.consoleUrl}/qr-codes`)
    await page.locator('#filter').fill('nonce')
    await page.locator('[data-name="request-without-nonce"]').click()
    await page.waitForSelector('.code-image')
    expect(await page.$eval('#code', ({ textContent }) => textContent)).toContain('request.nonce')
    expect(await page.$('#code a[href*="/docs/profile/"]')).not.toBeNull()
    const link = await page.$eval('#code .actions [data-copy]', (e) => e.getAttribute('data-copy'))
    await createWallet()
    await page.locator('#in-wallet').click()
    await page.waitForSelector('#scan')
    expect(await page.evaluate('document.getElementById("link").value')).toBe(link)
    await page.locator('#scan button').click()
    await page.waitForSelector('.activity .badge.bad')
  })
})
