import type { HTTPRequest, Page } from 'puppeteer-core'
import { expect, it, onTestFinished } from 'vitest'
import { openConsole } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()

/** A page of the console whose request for one of its modules has no answer yet. */
async function openWithout(module: string, path: string) {
  const { page, close } = await openConsole(shared)
  onTestFinished(close)
  const held = Promise.withResolvers<HTTPRequest>()
  await page.setRequestInterception(true)
  let isHeld = false
  page.on('request', (request) => {
    if (isHeld || new URL(request.url()).pathname !== `/assets/${module}`) return request.continue()
    isHeld = true
    held.resolve(request)
  })
  page.goto(`${shared.file.consoleUrl}${path}`).catch(() => {})
  const request = await held.promise
  await page.waitForSelector('#main form')
  return { page, request }
}

const clickWithKeyboard = async (page: Page, button: string) => {
  await page.waitForSelector(button)
  await page.focus(button)
  await page.keyboard.press('Enter')
}
const isBusy = (page: Page, button: string) =>
  page.$eval(button, (each) => each.getAttribute('aria-busy') === 'true')
/** Unix seconds of the testbed's clock. */
const readClock = async (): Promise<number> => (await shared.control('/clock')).body.now

it('an action of every page that is pressed before its module happens afterwards, once', async () => {
  const button = '#clock-3600 button'
  const { page, request } = await openWithout('frame.js', '/controls')
  await clickWithKeyboard(page, button)
  await page.click(button)
  expect(await isBusy(page, button)).toBe(true)
  const before = await readClock()
  await request.continue()
  // The page loads again when the clock has moved.
  await page.waitForSelector('#clock-reset')
  expect(((await readClock()) - before) / 3600).toBeCloseTo(1, 1)
  expect(new URL(page.url()).search).toBe('')
})

it('so does a form of one section, with what was typed into it', async () => {
  const button = '[data-write="dids"] button'
  const { page, request } = await openWithout('registry-changes.js', '/registries/pre/changes')
  await page.type('#name', 'Early Bird')
  await page.keyboard.press('Enter')
  expect(await isBusy(page, button)).toBe(true)
  await request.continue()
  await page.waitForSelector('.result .done')
  expect(await page.$(`${button}[aria-busy]`)).toBeNull()
})

it('a form whose module is missing says so, and the browser does not send it', async () => {
  const { page, request } = await openWithout('registry-changes.js', '/registries/pre/changes')
  await page.type('#name', 'Nobody')
  await request.abort()
  await page.waitForSelector('html[data-ready]')
  await page.keyboard.press('Enter')
  const alert = await page.waitForSelector('[data-write="dids"] .alert')
  expect(await alert?.evaluate(({ textContent }) => textContent)).toContain('nothing was sent')
  expect(new URL(page.url()).search).toBe('')
})
