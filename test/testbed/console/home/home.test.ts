import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenConsole, openConsole } from '#test/support/open-console.ts'
import { callJson, shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()
let opened: OpenConsole
beforeAll(async () => {
  opened = await openConsole(shared)
})
afterAll(() => opened?.close())

const call = async (path: string, json: object) =>
  (
    await callJson(`${shared.file.consoleUrl}${path}`, {
      json,
      headers: { authorization: `Bearer ${shared.file.control.token}` },
    })
  ).body

describe('the home page', () => {
  it('shows health, version and API of every part of the environment', async () => {
    await opened.page.waitForFunction(
      'document.getElementById("summary").textContent === "All 12 parts are healthy."',
    )
    await opened.page.waitForSelector('.parts .version:not(:empty)')
    const issuer = await opened.textOf(`[data-url="${shared.pre.issuerBaseUrl}"]`)
    expect(issuer).toBe(`Issuer Healthy ${shared.pre.issuerBaseUrl} v1.0.0 API`)
    const { text } = await opened.get('/')
    for (const { url, docsUrl } of shared.testbed.addresses) {
      expect(text).toContain(url)
      if (docsUrl !== undefined) expect(text).toContain(`href="${docsUrl}"`)
    }
  })

  it('adds what happens while it is open, without the seeding of the trust chain', async () => {
    expect(await opened.textOf('#activity')).toMatch(/^Nothing yet/)
    const link = await shared.order()
    const { id } = await call('/console/wallets', { env: 'pre', name: 'Phone' })
    await call(`/console/wallets/${id}/scan`, { link })
    await opened.page.waitForFunction(
      'document.getElementById("activity").innerText.includes("received")',
    )
    expect(await opened.textOf('#activity li:first-child span')).toBe(
      'Ana Ruiz received an OrgPortalLearCredential',
    )
    await opened.clickThrough('#activity li:first-child a')
    await opened.page.waitForFunction('document.body.innerText.includes("/credential")')
    expect(new URL(opened.page.url()).pathname).toBe('/exchanges')
    await opened.visit('/')
    await opened.page.waitForSelector('#activity li')
    expect(await opened.textOf('#activity li:last-child span')).toBe(
      'A credential was offered to a wallet',
    )
  })

  it('names the seeded organizations, and shortens other DIDs', async () => {
    const json = { defect: 'accreditation-revoked' }
    await shared.control('/pre/defective-credentials', { json })
    const { text } = await opened.get('/console/activity?env=pre')
    const { activity } = JSON.parse(text) as { activity: { text: string }[] }
    const sentences = activity.map((each) => each.text)
    expect(sentences).toContainEqual(expect.stringMatching(/^TAO accredited z\w{7}… as TI$/))
    expect(sentences).toContainEqual(
      expect.stringMatching(/^TAO revoked the accreditation of z\w{7}…$/),
    )
  })

  it('shows a chain that does not answer as not working', async () => {
    await shared.control('/pre/faults/chain-down', { method: 'PUT' })
    await opened.visit('/')
    await opened.page.waitForSelector(`[data-url="${shared.pre.chain.rpcUrl}"] .badge.bad`)
    expect(await opened.textOf('#summary')).toMatch(/^\d+ of 12 parts need attention\.$/)
    await shared.control('/pre/faults/chain-down', { method: 'DELETE' })
  })

  it('shows names as text', async () => {
    const { tokenIssuerBaseUrl, tokenIssuerClient } = shared.pre
    const query = new URLSearchParams({
      client_id: tokenIssuerClient.clientId,
      redirect_uri: tokenIssuerClient.redirectUri,
      response_type: 'code',
      scope: 'openid',
    })
    const { page } = opened
    await page.goto(`${tokenIssuerBaseUrl}/auth?${query}`)
    await page.type('[name="username"]', '<img src=x>')
    await page.type('[name="password"]', 'wrong')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    await opened.visit('/')
    await page.waitForSelector('#activity li')
    expect(await opened.textOf('#activity li:first-child span')).toBe(
      'Login of <img src=x> at the token issuer rejected',
    )
    expect(await page.$('#activity img')).toBeNull()
  })
})
