import { describe, it } from 'vitest'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { openLogin, shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()
type Look = readonly [language: string, theme: string]
/** With the theme of the system, `expectAccessible` tries a phone in light and a desktop in dark. */
const looks: readonly Look[] = [
  ['en', 'system'],
  ['es', 'dark'],
  ['en', 'light'],
]

async function openRoom(path: string, [lang, theme]: Look) {
  const browser = await launchBrowser()
  const page = await browser.newPage()
  await page.setViewport({ width: 390, height: 844 })
  await page.goto(shared.testbed.createConsoleLink())
  await page.goto(`${shared.file.consoleUrl}${path}?lang=${lang}&theme=${theme}`)
  return { browser, page }
}

describe.each(looks)('in %s, theme %s', (...look) => {
  it('the wallets room is accessible from the first wallet to a rejected login', async () => {
    const { browser, page } = await openRoom('/wallets', look)
    const isOpen = await page.waitForSelector('#new-wallet').then(() => page.$('.new-wallet[open]'))
    await expectAccessible(page)
    if (!isOpen) await page.locator('.new-wallet summary').click()
    await page.locator('#new-wallet button').click()
    await page.locator('#receive').click()
    await page.waitForSelector('.credential.valid')
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
    await browser.close()
  })

  it('the test QR codes are accessible', async () => {
    const { browser, page } = await openRoom('/qr-codes', look)
    await page.waitForSelector('.code-entry')
    await expectAccessible(page)
    for (const name of ['offer-with-pin', 'accreditation-revoked', 'request-without-nonce']) {
      await page.locator(`[data-name="${name}"]`).click()
      await page.waitForSelector('.code-image')
      await expectAccessible(page)
    }
    await browser.close()
  })
})
