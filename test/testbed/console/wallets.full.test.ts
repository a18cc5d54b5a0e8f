import type { Page } from 'puppeteer-core'
import { describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { callJson } from '#test/support/http.ts'
import { openBrowser } from '#test/support/open-console.ts'
import { openLogin, shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()
type Look = readonly [language: string, theme: string]
/** With the theme of the system, `expectAccessible` tries a phone in light and a desktop in dark. */
const looks: readonly Look[] = [
  ['en', 'system'],
  ['es', 'dark'],
  ['en', 'light'],
]

async function openSection(path: string, [lang, theme]: Look) {
  const page = await (await openBrowser()).newPage()
  await page.setViewport({ width: 390, height: 844 })
  await page.goto(shared.testbed.createConsoleLink())
  await page.goto(`${shared.file.consoleUrl}${path}?lang=${lang}&theme=${theme}`)
  return page
}

async function openNewWallet() {
  const page = await openSection('/wallets', ['en', 'system'])
  await page.waitForSelector('#new-wallet')
  if ((await page.$('.new-wallet[open]')) === null) await page.click('.new-wallet summary')
  await page.locator('#new-wallet button').click()
  await page.waitForSelector('#receive:not(:disabled)')
  return page
}

describe.each(looks)('in %s, theme %s', (...look) => {
  it('the wallets section is accessible from the first wallet to a rejected login', async () => {
    const page = await openSection('/wallets', look)
    const isOpen = await page.waitForSelector('#new-wallet').then(() => page.$('.new-wallet[open]'))
    await expectAccessible(page)
    if (!isOpen) await page.locator('.new-wallet summary').click()
    await page.locator('#new-wallet button').click()
    await page.locator('#receive').click()
    await page.waitForSelector('.credential.valid')
    await page.setViewport({ width: 360, height: 800 })
    const hidden = await page.$eval(
      '.credential .named code',
      (did) => did.scrollWidth - did.clientWidth,
    )
    expect(hidden).toBe(0)
    await expectAccessible(page)
    await page.locator('.credential .actions button').click()
    await page.waitForSelector('dialog[open] td')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.waitForSelector('#fault optgroup')
    await page.select('#fault', 'presentation-tampered-credential')
    await page.waitForSelector('.warning')
    await openLogin(shared.pre)
    await page.locator('.present:not(:disabled)').click()
    await page.waitForSelector('.activity .fault')
    await expectAccessible(page)
  })

  it('the test QR codes are accessible', async () => {
    const page = await openSection('/qr-codes', look)
    await page.waitForSelector('.code-entry')
    await expectAccessible(page)
    for (const name of ['offer-with-pin', 'accreditation-revoked', 'request-without-nonce']) {
      await page.locator(`[data-name="${name}"]`).click()
      await page.waitForSelector('.code-image')
      await expectAccessible(page)
    }
  })
})

/** Pastes or drops into the page what another program would: an image of a QR code, or a link. */
const transfer = (page: Page, kind: 'paste' | 'drop', content: { png?: Buffer; text?: string }) =>
  page.evaluate(`(() => {
    const { kind, png, text } = ${JSON.stringify({ kind, text: content.text, png: content.png?.toString('base64') })}
    const data = new DataTransfer()
    if (text) data.setData('text/plain', text)
    if (png) {
      const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0))
      data.items.add(new File([bytes], 'screenshot.png', { type: 'image/png' }))
    }
    const options = { bubbles: true, cancelable: true }
    document.body.dispatchEvent(
      kind === 'paste'
        ? new ClipboardEvent('paste', { ...options, clipboardData: data })
        : new DragEvent('drop', { ...options, dataTransfer: data }),
    )
  })()`)

/** Orders a credential for an employee, who receives the offer as an email. */
async function orderByEmail() {
  const [organization] = shared.pre.organizations
  const { organizationIdentifier, authorizedPowers: power } = organization ?? {}
  const json = { organization_identifier: organizationIdentifier }
  const { body } = await shared.control('/pre/bearer-tokens', { json })
  const answer = await callJson(`${shared.pre.issuerBaseUrl}/issuance/employee`, {
    json: { email: 'eva.sanz@almenara.example', power },
    headers: { authorization: `Bearer ${body.access_token}` },
  })
  expect(answer.status).toBe(200)
}

type Receive = (page: Page) => Promise<unknown>
const qrOf = async () => createQrPng(await shared.order())
const ways: readonly (readonly [name: string, receive: Receive])[] = [
  ['a pasted screenshot', async (page) => transfer(page, 'paste', { png: await qrOf() })],
  ['a dropped image', async (page) => transfer(page, 'drop', { png: await qrOf() })],
  ['a dropped link', async (page) => transfer(page, 'drop', { text: await shared.order() })],
  [
    'a link in the field',
    async (page) => {
      await page.locator('#link').fill(await shared.order())
      await page.locator('#scan button').click()
    },
  ],
  [
    'the latest email',
    async (page) => {
      await orderByEmail()
      await page.locator('#receive-mailed').click()
    },
  ],
]

it.each(ways)('a wallet receives a credential from %s', async (_name, receive) => {
  const page = await openNewWallet()
  expect(await page.$('.credential')).toBeNull()
  await receive(page)
  await page.waitForSelector('.credential.valid')
  await page.waitForSelector('.activity .badge.good')
})

it('an image without a QR code is reported, and so is a link to something else', async () => {
  const page = await openNewWallet()
  await transfer(page, 'paste', { png: Buffer.from('not an image') })
  await page.waitForFunction(
    "document.querySelector('#wallets > .alert')?.textContent.includes('Could not read')",
  )
  await transfer(page, 'drop', { text: 'good morning' })
  await page.waitForFunction(
    "document.querySelector('#wallets > .alert')?.textContent.includes('neither')",
  )
  await page.locator('#link').fill('good evening')
  await page.keyboard.press('Enter')
  const alert = await page.waitForSelector('#wallets > .alert ::-p-text(neither)')
  expect(await alert?.isIntersectingViewport({ threshold: 1 })).toBe(true)
  expect(await page.$eval('#link', ({ value }) => value)).toBe('good evening')
})

it('an offer whose PIN is missing can be tried again with the PIN', async () => {
  const page = await openNewWallet()
  const link = await shared.order({ tx_code: { length: 4 } })
  await page.locator('#link').fill(link)
  await page.locator('#scan button').click()
  await page.waitForSelector('.activity .badge.bad')
  await page.waitForSelector('#scan button:not(:disabled)')
  expect(await page.$eval('#link', ({ value }) => value)).toBe(link)
})
