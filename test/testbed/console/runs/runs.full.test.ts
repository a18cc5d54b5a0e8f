import { expect, it } from 'vitest'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()

it.each(['en', 'es'])('the rooms of runs are accessible in %s', async (language) => {
  const browser = await launchBrowser()
  const page = await browser.newPage()
  await page.goto(shared.testbed.createConsoleLink(`/conformance?lang=${language}`))
  expect(await page.$eval('html', (root) => root.lang)).toBe(language)
  await expectAccessible(page)
  await page.goto(`${shared.file.consoleUrl}/suites`)
  await expectAccessible(page)
  for (const plan of ['wallet', 'verifier', 'issuer', 'idp', 'did-registry', 'tir']) {
    await page.goto(`${shared.file.consoleUrl}/conformance/${plan}`)
    await page.waitForSelector('.problems')
    await expectAccessible(page)
  }
  await browser.close()
})

it('starts a plan by keyboard, and its page is accessible during and after the run', async () => {
  const browser = await launchBrowser()
  const page = await browser.newPage()
  await page.goto(shared.testbed.createConsoleLink('/conformance'))
  await page.focus('#self-tir button')
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  const path = new URL(page.url()).pathname
  await page.waitForSelector('.results > li')
  await expectAccessible(page)
  await page.waitForSelector(`a[href="${path}/report"]`, { timeout: 300_000 })
  expect(await page.$$eval('.results .badge.bad', (rows) => rows.length)).toBe(0)
  await expectAccessible(page)
  await browser.close()
}, 400_000)
