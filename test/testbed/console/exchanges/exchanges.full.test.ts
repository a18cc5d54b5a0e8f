import { expect, it, onTestFinished } from 'vitest'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { linkOf } from '#test/support/login-system.ts'
import { expectReadable, openConsole, tabTo } from '#test/support/open-console.ts'
import { openLogin, shareTestbed } from '#test/support/running-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'

const shared = shareTestbed()

/** Opens the console on a testbed on which a credential was issued, revoked and presented. */
async function openAfterRejectedLogin() {
  const wallet = createWallet({ http: { allowPrivateAddresses: true } })
  const trust = environmentTrust({ environment: shared.pre }, wallet)
  const { body } = await shared.control('/pre/defective-credentials', {
    json: { defect: 'revoked' },
  })
  await acceptOffer(wallet, body.offer_uri, { ...trust, policy: { broken: 'accept' } })
  await present(wallet, linkOf(await openLogin(shared.pre)), trust)
  const opened = await openConsole(shared)
  onTestFinished(() => opened.close())
  return opened
}

const firstRow = '#diagram [data-row]'

it('lead from a rejected login to the broken rule without a mouse', async () => {
  const { page, visit, textOf } = await openAfterRejectedLogin()
  await visit('/exchanges')
  await page.waitForSelector(firstRow)
  await tabTo(page, '#journey')
  // The newest journey is the first after the two fixed choices.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.waitForFunction('new URLSearchParams(location.search).has("journey")')
  expect(
    await page.$eval('#journey', (field) => field.querySelector('option:checked')?.textContent),
  ).toMatch(/^✗ Login at Relying party/)
  await tabTo(page, '#status')
  await page.keyboard.press('ArrowDown')
  await page.waitForFunction('document.querySelectorAll("[data-row]").length === 1')
  await tabTo(page, '#diagram .diagram')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#exchange-content .rules .failed')
  expect(await textOf('#exchange-content .rules .failed')).toContain('credential.status')
  expect(await page.evaluate('document.activeElement.id')).toBe('exchange-title')
  await page.keyboard.press('Escape')
  expect(await page.evaluate('document.activeElement.matches("[data-row]")')).toBe(true)
})

it('move from row to row with the arrow keys, and draw only the rows in view', async () => {
  const { page, visit } = await openAfterRejectedLogin()
  await visit('/exchanges?journey=all')
  await page.waitForSelector(firstRow)
  const total = Number(
    /of (\d+)/.exec(await page.$eval('#count', (each) => each.textContent ?? ''))?.[1],
  )
  expect(total).toBeGreaterThan(100)
  expect(await page.$$eval(firstRow, ({ length }) => length)).toBeLessThan(60)
  await page.evaluate('document.querySelector("#diagram .diagram").scrollTop = 0')
  await page.waitForFunction('document.querySelector("[data-row] .number").textContent === "1"')
  await page.evaluate('document.querySelector("[data-row]").focus()')
  for (let step = 0; step < 50; step++) await page.keyboard.press('ArrowDown')
  expect(await page.evaluate('document.activeElement.querySelector(".number").textContent')).toBe(
    '51',
  )
})

it('are readable, empty, full and with a message', async () => {
  const { page, visit, textOf } = await openAfterRejectedLogin()
  const isExplained = () =>
    page.waitForFunction('document.getElementById("message").textContent !== ""')
  await visit('/exchanges?text=no-message-contains-this')
  await isExplained()
  const noMatch = await textOf('#message')
  await expectReadable(page)
  await visit('/exchanges')
  await page.waitForSelector(firstRow)
  await page.click('#clear')
  await isExplained()
  expect(await textOf('#message')).not.toBe(noMatch)
  await visit('/exchanges?status=failing')
  await page.waitForSelector(firstRow)
  await page.evaluate(
    'document.querySelector("[data-row] .hit").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))',
  )
  await page.waitForFunction('location.search.includes("exchange=")')
  await expectReadable(page)
})

it('explain a pasted message readably, in every state', async () => {
  const { page, visit } = await openAfterRejectedLogin()
  await visit('/explain')
  await expectReadable(page)
  for (const [message, verdict] of [
    [await shared.order(), 'holds'],
    ['{"credential_issuer":"x","credentials":[1]}', 'broken'],
  ] as const) {
    await visit('/explain')
    await page.goto(`${page.url()}#message=${encodeURIComponent(message)}`)
    await page.reload()
    await page.waitForSelector(`[data-verdict="${verdict}"]`)
    await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
    await expectReadable(page)
  }
})
