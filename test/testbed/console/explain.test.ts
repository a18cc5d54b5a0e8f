import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { callJson } from '#test/support/http.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { startTrapServer } from '#test/support/servers.ts'
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

const explain = (json: unknown) =>
  callJson(`${shared.file.consoleUrl}/console/explanations`, {
    json,
    headers: { authorization: `Bearer ${shared.file.control.token}` },
  })

/** A credential of the testbed's issuer, with a defect if one is named. */
async function issue(defect?: string): Promise<string> {
  const wallet = createWallet({ http: { allowPrivateAddresses: true } })
  const link =
    defect === undefined
      ? await shared.order()
      : (await shared.control('/pre/defective-credentials', { json: { defect } })).body.offer_uri
  const [accepted] = await acceptOffer(wallet, link, { policy: { broken: 'accept' } })
  return accepted?.credential.credential ?? ''
}

interface RuleSeen {
  readonly rule: string
  readonly verdict: string
}
const brokenIn = (rules: readonly RuleSeen[]) =>
  rules.filter(({ verdict }) => verdict === 'broken').map(({ rule }) => rule)

describe('an explanation of the console', () => {
  it('passes for a credential of the testbed, with its registries', async () => {
    const { status, body } = await explain({ text: await issue() })
    expect([status, body.explanation.kind, body.explanation.verdict]).toEqual([
      200,
      'credential',
      'holds',
    ])
  })

  it('names the broken rule of a revoked credential, with fix and paragraph', async () => {
    const { rules, verdict } = (await explain({ text: await issue('revoked') })).body.explanation
    expect([verdict, brokenIn(rules)]).toEqual(['broken', ['credential.status']])
    expect(rules.find(({ rule }: RuleSeen) => rule === 'credential.status')).toMatchObject({
      advice: expect.any(String),
      paragraph: expect.stringMatching(/^docs\/profile\//),
    })
  })

  it('reads the QR code of an image, and says what it contains', async () => {
    const link = await shared.order()
    const image = createQrPng(link).toString('base64')
    const { body } = await explain({ image })
    expect([body.read, body.explanation.kind]).toEqual([link, 'credential-offer'])
  })

  it('evaluates at another time and for another holder', async () => {
    const text = await issue()
    const late = await explain({ text, at: '2060-01-01T00:00:00' })
    expect(brokenIn(late.body.explanation.rules)).toContain('credential.expiry')
    const zoned = await explain({ text, at: '2060-01-01T00:00:00Z' })
    expect(zoned.body.evaluatedAt).toBe(late.body.evaluatedAt)
    expect(brokenIn(zoned.body.explanation.rules)).toContain('credential.expiry')
    const other = await explain({ text, holder: 'did:key:zOther' })
    expect(brokenIn(other.body.explanation.rules)).toContain('credential.holder')
  })

  it('fetches what a link refers to only from the testbed, and only if asked', async () => {
    const trap = await startTrapServer()
    const linkTo = (uri: string) =>
      `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(uri)}`
    const foreign = await explain({ text: linkTo(`${trap.url}/offer`), fetch: true })
    expect([foreign.body.explanation.verdict, trap.visits]).toEqual(['not-checked', []])

    const { offer_uri: link } = (await shared.control('/pre/offers', { json: { by: 'reference' } }))
      .body
    const unfetched = await explain({ text: link })
    expect(unfetched.body.explanation.verdict).toBe('not-checked')
    const fetched = await explain({ text: link, fetch: true })
    expect(fetched.body.explanation.verdict).toBe('holds')
  })

  it('rejects nothing, too much and images without a code, and needs the session', async () => {
    for (const [json, status, error] of [
      [{}, 400, 'no_message'],
      [{ text: '   ' }, 400, 'no_message'],
      [{ image: Buffer.from('no image').toString('base64') }, 400, 'no_message'],
      [{ text: 'x'.repeat(2_000_001) }, 400, 'invalid_request'],
      [{ text: 'x', surprise: 1 }, 400, 'invalid_request'],
      [{ text: 'x', at: '2026-11-28T10:30:00ZZ' }, 400, 'invalid_request'],
      [{ text: 'x', at: '2026-02-30T10:30:00' }, 400, 'invalid_request'],
    ] as const) {
      expect(await explain(json)).toMatchObject({ status, body: { error } })
    }
    const { status } = await callJson(`${shared.file.consoleUrl}/console/explanations`, {
      json: { text: 'x' },
    })
    expect(status).toBe(401)
  })
})

describe('the page of explanations', () => {
  const open = (fragment = '') => page.goto(`${shared.file.consoleUrl}/explain${fragment}`)
  const textOf = (selector: string) => page.$eval(selector, ({ textContent }) => textContent)

  it('shows the verdict, the reason and the fix of a pasted credential, by keyboard', async () => {
    const credential = await issue('revoked')
    await open()
    await page.focus('#message')
    await page.keyboard.sendCharacter(credential)
    for (const _ of ['more', 'explain']) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[data-verdict="broken"]')
    expect(await textOf('.verdict')).toMatch(/^1 of \d+ rules broken$/)
    const shown = await textOf('.rule-list')
    expect(shown).toContain('credential.status')
    expect(shown).toMatch(/revoked by its issuer[\s\S]*How to fix it[\s\S]*credential\.md/)
    expect(await textOf('#result .json')).toContain('Algorithm of the signature')
    expect(await page.evaluate('document.activeElement.id')).toBe('result')
    await expectAccessible(page)
  })

  it('explains an example, for a reader without a message', async () => {
    await open()
    await page.locator('#example').click()
    await page.waitForSelector('[data-verdict="broken"]')
    expect(await textOf('.rule-list')).toContain('offer.credentials')
  })

  it('shows foreign text as text, also from a link of another page', async () => {
    const hostile = '<img src=x onerror="document.title=1">'
    const credential = JSON.stringify({
      credential_issuer: hostile,
      credentials: [hostile],
      grants: {},
    })
    await open()
    await open(`#message=${encodeURIComponent(credential)}`)
    await page.reload()
    await page.waitForSelector('[data-verdict]')
    expect(await textOf('#result')).toContain(hostile)
    expect([await page.$('#result img'), await page.title()]).toEqual([
      null,
      'Explain · LEAR testbed',
    ])
  })
})
