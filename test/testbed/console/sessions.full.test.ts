import { expect, it, onTestFinished } from 'vitest'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { expectReadable, openConsole, tabTo } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'

const shared = shareTestbed()

/** Opens the console, and the page of a login that was rejected in the same browser. */
async function openRejectedLogin() {
  const http = { allowPrivateAddresses: true }
  const wallet = createWallet({ http, faults: findFaults(['presentation-wrong-nonce']) })
  const trust = environmentTrust({ environment: shared.pre }, wallet)
  await acceptOffer(wallet, await shared.order(), trust)
  const opened = await openConsole(shared)
  onTestFinished(() => opened.close())
  const { page, visit } = opened
  await visit('/relying-party/login')
  const link = await page.$eval('#same-device', (each) => each.getAttribute('href') ?? '')
  await present(wallet, link, trust)
  await page.waitForSelector('#see-why')
  return opened
}

it('a rejected login leads to the broken rule without a mouse, and back to the console', async () => {
  const { page, textOf, visit } = await openRejectedLogin()
  await tabTo(page, '#see-why')
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  expect(await textOf('.broken')).toMatch(/presentation\.nonce.*Expected.*Found.*Paragraph/)
  await tabTo(page, '.broken a')
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  expect(page.url()).toContain('/docs/profile/verifier#')

  await visit('/')
  await tabTo(page, '#admin-panel')
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  expect(page.url()).toBe(`${shared.pre.idpBaseUrl}/admin/`)
  await tabTo(page, '.bar .console')
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  expect(page.url()).toBe(`${shared.file.consoleUrl}/`)
  expect(await textOf('h1')).toBe('LEAR testbed')
})

it('the logins are readable, as a list and with everything open', async () => {
  const { page, visit } = await openRejectedLogin()
  const why = await page.$eval('#see-why', (each) => each.getAttribute('href') ?? '')
  await visit('/sessions')
  await expectReadable(page)
  await visit('/sessions?status=PENDING')
  await expectReadable(page)
  await page.goto(why)
  await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
  await expectReadable(page)
})

it('the pages of the services are readable, light and dark', async () => {
  const { page, visit } = await openRejectedLogin()
  await visit('/')
  await Promise.all([page.waitForNavigation(), page.click('#admin-panel')])
  const { idpBaseUrl } = shared.pre
  const panel = ['', 'clients', 'mappers', 'sessions', 'sessions?status=FAILED', 'keys', 'account']
  const addresses = [
    ...panel.map((path) => `${idpBaseUrl}/admin/${path}`),
    `${shared.file.mail.apiUrl}/`,
  ]
  for (const address of addresses) {
    for (const [width, value] of [
      [390, 'light'],
      [1280, 'dark'],
    ] as const) {
      await page.setViewport({ width, height: 800 })
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
      await page.goto(address)
      await expectAccessible(page)
      const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      expect([address, width, isTooWide]).toEqual([address, width, false])
    }
  }
})

it('Swagger is dark if the browser is', async () => {
  const { page } = await openRejectedLogin()
  const lightness = () =>
    page.$eval('body', (body) => {
      const view = body.ownerDocument.defaultView
      const colour = view?.getComputedStyle(body).backgroundColor ?? ''
      return Number(/\d+/.exec(colour)?.[0])
    })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }])
  await page.goto(`${shared.pre.idpBaseUrl}/swagger`)
  await page.waitForSelector('.swagger-ui .info')
  expect(await lightness()).toBe(255)
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
  await page.waitForSelector('html.dark-mode')
  expect(await lightness()).toBeLessThan(60)
})
