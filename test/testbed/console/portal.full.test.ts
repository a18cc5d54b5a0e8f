import type { Page } from 'puppeteer-core'
import { expect, it } from 'vitest'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { findAccessibilityProblems } from '#test/support/accessibility.ts'
import { expectReadable, openBrowser, tabTo } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'

const shared = shareTestbed()
const at = (path: string) => `${shared.file.consoleUrl}${path}`

async function openPortal(): Promise<Page> {
  const page = await (await openBrowser()).newPage()
  await page.goto(shared.testbed.createConsoleLink())
  await page.goto(at('/portal'))
  return page
}

async function createHolder() {
  const wallet = createWallet({ http: { allowPrivateAddresses: true } })
  const trust = environmentTrust({ environment: shared.pre }, wallet)
  await acceptOffer(wallet, await shared.order(), trust)
  return { wallet, trust }
}

it('works without a mouse, from the login to the sign-out', async () => {
  const page = await openPortal()
  await tabTo(page, '#accounts .button')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#password')
  await tabTo(page, '#password')
  await page.keyboard.type(shared.pre.tokenIssuerAccount.password)
  await page.keyboard.press('Enter')
  await page.waitForSelector('html[data-ready] #own')

  await tabTo(page, '#own button')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#order img')
  await tabTo(page, '#email')
  await page.keyboard.type('eva.sanz@almenara.example')
  await tabTo(page, '#firstName')
  await page.keyboard.type('Eva')
  await tabTo(page, '#lastName')
  await page.keyboard.type('Sanz')
  await tabTo(page, '#employee [name="power"]')
  await page.keyboard.press('Space')
  await tabTo(page, '#employee button')
  await page.keyboard.press('Enter')
  await page.waitForFunction(
    "document.querySelector('#order').textContent.includes('eva.sanz@almenara.example')",
  )
  expect(await page.$$eval('[data-credential]', ({ length }) => length)).toBe(2)

  await tabTo(page, '[data-credential] summary')
  await page.keyboard.press('Enter')
  await tabTo(page, '.revocation button')
  await page.keyboard.press('Enter')
  await page.waitForSelector('html[data-ready] [data-credential] .badge.bad')
  await tabTo(page, '#sign-out')
  await page.keyboard.press('Enter')
  await page.waitForSelector('button[value="yes"]')
  await tabTo(page, 'button[value="yes"]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#accounts')
  expect(page.url()).toBe(at('/portal?env=pre'))
})

it('is readable in every state, for a representative with a wallet', async () => {
  const { wallet, trust } = await createHolder()
  const page = await openPortal()
  await expectReadable(page)
  await page.click('#with-wallet')
  await page.waitForSelector('#broker-credential-idp')
  await page.click('#broker-credential-idp')
  const link = await page.waitForSelector('#same-device')
  await present(wallet, String(await link?.evaluate((each) => each.getAttribute('href'))), trust)
  await page.waitForSelector('#own')
  expect(await page.$eval('#user', ({ textContent }) => textContent)).toContain('Ana Ruiz')

  await page.click('#own button')
  await page.waitForSelector('#order img')
  await expectReadable(page)
  for (const details of await page.$$('summary')) await details.click()
  await page.type('#email', 'eva')
  await page.click('#employee button')
  await page.waitForFunction("document.querySelector('#email-problem').textContent !== ''")
  expect(await findAccessibilityProblems(page)).toEqual([])
})
