import { expect, it, onTestFinished } from 'vitest'
import { expectReadable, tabTo } from '#test/support/console-pages.ts'
import { openConsole } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()

it('are readable in both languages, on a phone and a desktop, light and dark', {
  timeout: 120_000,
}, async () => {
  const { page, visit, close } = await openConsole(shared)
  onTestFinished(close)
  const { did } = shared.pre.trustChain.issuer
  const paths = ['', '/chain', '/changes', `/identifiers/${encodeURIComponent(did)}`]
  for (const path of paths) {
    await visit(`/registries/pre${path}`)
    await expectReadable(page)
  }
  await visit('/registries/pre/chain')
  await page.click('td a[href*="/transactions/"]')
  await page.waitForSelector('dl')
  await expectReadable(page)
})

it('register a DID and roll its key without a mouse', { timeout: 60_000 }, async () => {
  const { page, visit, textOf, close } = await openConsole(shared)
  onTestFinished(close)
  await visit('/registries/pre/changes')
  await tabTo(page, '#name')
  await page.keyboard.type('Garza Foods')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.private-key')
  expect(await textOf('.result [role="status"]')).toContain('insertFirstDidDocument')
  await tabTo(page, '.result a[href*="/identifiers/"]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('tr[data-key] .badge.good')
  expect(await textOf('h1')).toBe('Garza Foods')
  await tabTo(page, '#roll')
  await tabTo(page, '[data-write="keys"] .button')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.private-key')
  await page.reload()
  await page.waitForSelector('tr[data-key] .badge.good')
  expect(await page.$$eval('tr[data-key] .badge.good', (badges) => badges.length)).toBe(2)
})
