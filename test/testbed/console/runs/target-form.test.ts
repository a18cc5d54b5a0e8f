import { expect, it } from 'vitest'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { findFreePorts } from '#test/support/servers.ts'

const shared = shareTestbed()

it('generates a form that is checked while typing, and names what is wrong with the system', async () => {
  const browser = await launchBrowser()
  const page = await browser.newPage()
  const said = (selector: string, text: string) =>
    page.waitForFunction(
      `document.querySelector(${JSON.stringify(selector)})?.textContent.includes(${JSON.stringify(text)})`,
    )
  const type = async (member: string, text: string) => {
    await page.click(`[id="field-${member}"]`, { count: 3 })
    await page.keyboard.type(text)
  }
  await page.goto(shared.testbed.createConsoleLink('/conformance/did-registry'))
  await said('.problems', 'baseUrl is missing')
  await type('name', '<img src=x onerror=alert(1)>')
  await type('baseUrl', 'registry')
  await said('[id="field-baseUrl-problem"]', 'must be an http(s) address')
  expect(await page.$$eval('.target img', (images) => images.length)).toBe(0)
  const [port] = await findFreePorts(1)
  await type('baseUrl', `http://127.0.0.1:${port}`)
  await page.waitForSelector('#connect:not([disabled])')
  await page.click('#connect')
  await said('.problems', 'Nothing listens on this port')

  await type('baseUrl', shared.pre.didRegistryBaseUrl)
  await said('.check pre', shared.pre.didRegistryBaseUrl)
  await page.waitForSelector('#connect:not([disabled])')
  await page.click('#connect')
  await said('.done', 'The system is ready.')
  await browser.close()
})
