import type { Page } from 'puppeteer-core'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { expectAccessible } from '#test/support/accessibility.ts'
import { openConsole } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()
const setMining = (mode: 'auto' | 'manual') =>
  shared.control('/pre/mining', { method: 'PUT', json: { mode } })
beforeEach(() => setMining('manual'))
afterEach(() => setMining('auto'))

async function openForTest() {
  const opened = await openConsole(shared)
  onTestFinished(() => opened.close())
  return opened
}

const forms: readonly (readonly [what: string, fill: (page: Page) => Promise<unknown>])[] = [
  ['dids', (page) => page.locator('#name').fill('Held Freight')],
  ['accreditations', (page) => page.locator('#subject').fill(shared.pre.trustChain.issuer.did)],
  [
    'revocations',
    // None is preselected: by mistake, it would be the root's.
    async (page) => {
      expect(await page.$eval('#accreditation', ({ value }) => value)).toBe('')
      const { did, attributeId } = shared.pre.trustChain.issuer
      await page.select('#accreditation', `${did} ${attributeId}`)
    },
  ],
]

it.each(forms)('the form of %s waits for a block, and releases mining', async (what, fill) => {
  const { page, visit, textOf } = await openForTest()
  await visit('/registries/pre/changes')
  await fill(page)
  await page.locator(`[data-write="${what}"] button`).click()
  await page.waitForSelector('.result .release')
  expect(await textOf('.result [role="status"]')).toContain('Waiting for a block')
  await expectAccessible(page)
  await page.focus('.release')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.result .done')
  expect((await shared.control('/pre/mining')).body).toEqual({ mode: 'auto' })
})

it('the portal does not wait: issuer and status list do not write to the chain', async () => {
  const { page, visit } = await openForTest()
  await visit('/portal')
  await page.locator('#accounts .button').click()
  await page.locator('#password').fill(shared.pre.tokenIssuerAccount.password)
  await page.keyboard.press('Enter')
  await page.locator('#own button').click()
  await page.waitForSelector('#order img')
  await page.locator('[data-credential] summary').click()
  await page.locator('.revocation button').click()
  await page.waitForSelector('[data-credential] .badge.bad')
})
