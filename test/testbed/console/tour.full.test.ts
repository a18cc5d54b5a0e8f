import { describe, expect, it } from 'vitest'
import { expectAccessible } from '#test/support/accessibility.ts'
import { openBrowser, openConsole } from '#test/support/open-console.ts'
import { openTestbedForTest, shareTestbed } from '#test/support/running-testbed.ts'
import { tourSteps } from '#testbed/console/tour/tour-steps.ts'

const shared = shareTestbed()

async function openTour(lang: string, theme: string, width: number) {
  const page = await (await openBrowser()).newPage()
  await page.setViewport({ width, height: 844 })
  await page.goto(shared.testbed.createConsoleLink())
  await page.goto(`${shared.file.consoleUrl}/tour?lang=${lang}&theme=${theme}`)
  await page.waitForSelector('.tour-forward')
  return page
}

describe('the tour in a browser', () => {
  it.each([
    ['en', 'system', 390],
    ['es', 'dark', 390],
    ['es', 'light', 1280],
  ])('is accessible in each step: %s, theme %s, %i pixels', async (lang, theme, width) => {
    const page = await openTour(lang, theme, width)
    expect(await page.$eval('html', ({ lang }) => lang)).toBe(lang)
    for (const step of tourSteps) {
      await page.setViewport({ width, height: 844 })
      await page.locator(`[data-step="${step}"][data-done="false"] .tour-forward`).click()
      await page.waitForSelector(`[data-step="${step}"][data-done="true"]`)
      await expectAccessible(page)
      await page.locator('.tour-forward').click()
    }
    await page.waitForSelector('#restart')
    await expectAccessible(page)
  })

  it('works with Tab and Enter only, and starts again', async () => {
    const page = await openTour('en', 'light', 1280)
    const tabTo = async (selector: string) => {
      for (let presses = 0; presses < 60; presses++) {
        if (await page.$(`${selector}:focus`)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab does not reach ${selector}`)
    }
    for (const step of tourSteps) {
      await page.waitForSelector(`[data-step="${step}"][data-done="false"]`)
      await tabTo('.tour-forward')
      await page.keyboard.press('Enter')
      await page.waitForSelector(`[data-step="${step}"][data-done="true"]`)
      await tabTo('.tour-forward')
      await page.keyboard.press('Enter')
    }
    await page.waitForSelector('#restart')
    await tabTo('#restart')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[data-step="wallet"][data-done="false"]')
  })

  it('keeps the explanation of a step that a double click did', async () => {
    const page = await openTour('en', 'light', 1280)
    const [step] = tourSteps
    await page.locator('.tour-forward').click()
    await page.waitForSelector(`[data-step="${step}"][data-done="true"]`)
    // What a browser sends for the first and the second click of a double click.
    const click = (clicks: number) =>
      page.$eval(
        '.tour-forward',
        (button, detail) => void button.dispatchEvent(new CustomEvent('click', { detail })),
        clicks,
      )
    await click(2)
    expect(await page.$(`[data-step="${step}"]`)).not.toBeNull()
    await click(1)
    await page.waitForSelector(`[data-step="${tourSteps[1]}"]`)
  })

  it('continues after a reload, and goes back with the left arrow key', async () => {
    const page = await openTour('en', 'light', 1280)
    for (const step of tourSteps.slice(0, 2)) {
      await page.keyboard.press('ArrowRight')
      await page.waitForSelector(`[data-step="${step}"][data-done="true"]`)
      await page.keyboard.press('ArrowRight')
    }
    await page.reload()
    await page.waitForSelector('[data-step="accept"][data-done="false"]')
    await page.keyboard.press('ArrowLeft')
    await page.waitForSelector('[data-step="offer"][data-done="true"] .tour-qr')
  })

  it('answers the login page that a person opened in another tab', async () => {
    const page = await openTour('en', 'light', 1280)
    for (const step of tourSteps.slice(0, 4)) {
      await page.keyboard.press('ArrowRight')
      await page.waitForSelector(`[data-step="${step}"][data-done="true"]`)
      if (step !== 'login') await page.keyboard.press('ArrowRight')
    }
    const href = await page.$eval('.tour-view a[target="_blank"]', (e) => e.getAttribute('href'))
    const login = await page.browser().newPage()
    await login.goto(`${shared.file.consoleUrl}${href}`)
    await login.waitForSelector('#qr')
    await page.bringToFront()
    await page.keyboard.press('ArrowRight')
    await page.waitForSelector('[data-step="present"][data-done="false"]')
    await page.keyboard.press('ArrowRight')
    await page.waitForSelector('[data-step="present"][data-done="true"] .tour-website .done')
    await login.bringToFront()
    const isAtWebsite = 'location.pathname === "/relying-party"'
    // The address changes before the page is there.
    await login.waitForFunction(
      `${isAtWebsite} && document.querySelector('main')?.textContent.includes('Ana Ruiz')`,
    )
  })

  it('uses a key that issuer and verifier accept', async () => {
    const opened = await openTestbedForTest({ issuance: { holderSuites: ['ES256'] } })
    const { page, visit, close } = await openConsole(opened)
    await visit('/tour')
    for (const step of tourSteps.slice(0, 5)) {
      await page.locator(`[data-step="${step}"][data-done="false"] .tour-forward`).click()
      await page.locator(`[data-step="${step}"][data-done="true"] .tour-forward`).click()
    }
    await page.waitForSelector('[data-step="revoke"]')
    await visit('/wallets')
    const keys = await page.$$eval('#curve option', (all) =>
      all.map(({ textContent }) => textContent),
    )
    expect(keys).toEqual(['P-256 (ES256)'])
    await close()
  })
})
