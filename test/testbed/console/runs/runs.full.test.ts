import { expect, it } from 'vitest'
import { expectAccessible } from '#test/support/accessibility.ts'
import { openBrowser } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { findFreePorts } from '#test/support/servers.ts'

const shared = shareTestbed()

it.each(['en', 'es'])('the sections of runs are accessible in %s', async (language) => {
  const page = await (await openBrowser()).newPage()
  await page.goto(shared.testbed.createConsoleLink(`/conformance?lang=${language}`))
  expect(await page.$eval('html', (root) => root.lang)).toBe(language)
  await expectAccessible(page)
  await page.goto(`${shared.file.consoleUrl}/suites`)
  await expectAccessible(page)
  for (const plan of [
    'wallet',
    'verifier',
    'issuer',
    'idp',
    'relying-party',
    'did-registry',
    'tir',
  ]) {
    await page.goto(`${shared.file.consoleUrl}/conformance/${plan}`)
    await page.waitForSelector('.problems')
    await expectAccessible(page)
  }
})

it('starts a plan by keyboard, and its page is accessible during and after the run', async () => {
  const page = await (await openBrowser()).newPage()
  await page.goto(shared.testbed.createConsoleLink('/conformance'))
  await page.focus('#self-tir button')
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  const path = new URL(page.url()).pathname
  await page.waitForSelector('.results > li')
  await expectAccessible(page)
  await page.waitForSelector(`a[href="${path}/report"]`, { timeout: 300_000 })
  expect(await page.$$eval('.results .badge.bad', (rows) => rows.length)).toBe(0)
  await expectAccessible(page)
  await page.goto(`${shared.file.consoleUrl}/conformance`)
  await page.waitForSelector(`a[href="${path}"]`)
  await expectAccessible(page)
}, 400_000)

it.each(['en', 'es'])('a task for a person is accessible in %s, by keyboard', async (language) => {
  const page = await (await openBrowser()).newPage()
  await page.goto(shared.testbed.createConsoleLink(`/conformance/wallet?lang=${language}`))
  const location = await page.evaluate(async (text) => {
    const response = await fetch('/console/target-runs', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-console-key': localStorage.getItem('lear-testbed-key') ?? '',
      },
      body: JSON.stringify({ plan: 'wallet', name: 'my-wallet', text, checks: ['W01', 'W02'] }),
    })
    const { location } = (await response.json()) as { location: string }
    return location
  }, 'plan: wallet\nname: My wallet\nadapter: { type: person }\n')
  await page.goto(`${shared.file.consoleUrl}${location}`)
  await page.waitForSelector('.scan img')
  await page.focus('.ask summary')
  await page.keyboard.press('Enter')
  await page.focus('#note')
  await page.keyboard.type('No')
  await expectAccessible(page)
  await page.focus('.answers [value="refused"]')
  await page.keyboard.press('Enter')
  await page.waitForFunction(`document.activeElement?.id === 'task'`)
  await page.waitForSelector('.scan img')
  expect(await page.$eval('#note', (note) => (note as { value?: string }).value)).toBe('')
  await page.focus('.answers [value="skipped"]')
  await page.keyboard.press('Enter')
  await page.waitForSelector(`a[href="${location}/report"]`)
  for (const summary of await page.$$('.results summary')) await summary.press('Enter')
  await expectAccessible(page)
})

it('runs a suite by keyboard, stops it, and compares it with the run before', async () => {
  const page = await (await openBrowser()).newPage()
  await page.goto(shared.testbed.createConsoleLink('/suites'))
  const run = async () => {
    await page.goto(`${shared.file.consoleUrl}/suites`)
    await page.waitForSelector('html[data-ready]')
    await page.focus('.choices-grid [name="revocation"]')
    await page.keyboard.press('Space')
    await page.focus('#suites button')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    await page.waitForSelector('progress')
    return new URL(page.url()).pathname
  }
  const stopped = await run()
  await page.focus('.button.danger')
  await page.keyboard.press('Enter')
  await page.waitForSelector(`[data-call="DELETE /console${stopped}"]`, { timeout: 60_000 })
  const ended = await run()
  await page.waitForSelector('.results > li', { timeout: 120_000 })
  await expectAccessible(page)
  await page.waitForSelector(`a[href="${ended}/report"]`, { timeout: 300_000 })
  expect(await page.$$eval('.results .badge.bad', (rows) => rows.length)).toBe(0)
  await Promise.all([page.waitForNavigation(), page.click('.compare button')])
  await page.waitForSelector('#changes')
  await expectAccessible(page)
}, 500_000)

it('generates a form that is checked while typing, and names what is wrong with the system', async () => {
  const page = await (await openBrowser()).newPage()
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
})
