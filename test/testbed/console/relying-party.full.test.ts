import type { Page } from 'puppeteer-core'
import { expect, it } from 'vitest'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { expectReadable, openBrowser, tabTo } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet, type WalletOptions } from '#wallet-emulator/create-wallet.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'

const shared = shareTestbed()

async function createHolder(options: WalletOptions = {}) {
  const wallet = createWallet({ http: { allowPrivateAddresses: true }, ...options })
  const trust = environmentTrust({ environment: shared.pre }, wallet)
  await acceptOffer(wallet, await shared.order(), trust)
  return (link: string) => present(wallet, link, trust)
}

/** The link on the login page, for the wallet on the same device. */
async function readLink(page: Page): Promise<string> {
  const link = await page.waitForSelector('#same-device')
  return String(await link?.evaluate((each) => each.getAttribute('href')))
}

it('is readable in every state and works without a mouse', async () => {
  const presentValid = await createHolder()
  const presentRejected = await createHolder({ faults: findFaults(['presentation-wrong-aud']) })
  const page = await (await openBrowser()).newPage()
  await page.goto(shared.testbed.createConsoleLink())
  await page.goto(`${shared.file.consoleUrl}/relying-party`)
  await expectReadable(page)

  await tabTo(page, '#log-in')
  await page.keyboard.press('Enter')
  await presentRejected(await readLink(page))
  await page.waitForSelector('#renew')
  await tabTo(page, '#cancel')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#failure')
  await expectReadable(page)

  await tabTo(page, '#log-in')
  await page.keyboard.press('Enter')
  await presentValid(await readLink(page))
  await page.waitForSelector('#greeting')
  await expectReadable(page)
  await tabTo(page, '#sign-out')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#log-in')
  expect(await page.$('#greeting')).toBeNull()
})
