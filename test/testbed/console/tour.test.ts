import { describe, expect, it } from 'vitest'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { openBrowser } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { tourSteps } from '#testbed/console/tour/tour-steps.ts'

const shared = shareTestbed()
const startTour = async () =>
  (await shared.callConsole('POST', '/console/tours', { env: 'pre' })).body.id
const perform = (id: string, step: string) =>
  shared.callConsole('POST', `/console/tours/${id}/steps/${step}`, {})

describe('the tour', () => {
  it('begins although a wallet already has the name of its person', async () => {
    const wallet = { env: 'pre', name: 'Ana Ruiz', curve: 'secp256k1', did_method: 'key' }
    const created = await shared.callConsole('POST', '/console/wallets', wallet)
    expect(created.status).toBeLessThan(300)
    const { status, body } = await perform(await startTour(), 'wallet')
    expect([status, body.wallet?.name]).toEqual([200, 'Ana Ruiz (2)'])
  })

  it('issues, logs in, revokes and is rejected, with the right arrow key only', async () => {
    const browser = await openBrowser()
    const page = await browser.newPage()
    await page.setViewport({ width: 1280, height: 720 })
    await page.goto(shared.testbed.createConsoleLink())
    await page.goto(`${shared.file.consoleUrl}/tour`)
    await page.waitForSelector('.tour-forward')
    for (const step of tourSteps) {
      await page.waitForSelector(`[data-step="${step}"][data-done="false"]`)
      await page.keyboard.press('ArrowRight')
      await page.waitForSelector(`[data-step="${step}"][data-done="true"]`)
      if (step === 'offer' || step === 'login') await page.waitForSelector('.tour-qr img')
      if (step === 'accept') await page.waitForSelector('.credential[data-status="valid"]')
      if (step === 'accept') {
        // The exchanges arrive one by one.
        const heads = "document.querySelector('.exchange-view .heads svg')?.textContent"
        await page.waitForFunction(`/Wallet.*Issuer.*Connector.*DID registry/.test(${heads})`)
      }
      if (step === 'present') await page.waitForSelector('.tour-website')
      if (step === 'revoke') await page.waitForSelector('.credential[data-status="revoked"]')
      if (step === 'rejected') {
        const rejection = await page.waitForSelector('.tour-rejection')
        const text = await rejection?.evaluate(({ textContent }) => textContent)
        expect(text).toContain('credential.status')
        expect(await page.$('.tour-rejection a[href*="/docs/profile/"]')).not.toBeNull()
        const href = await page.$eval('.tour-rejection a[href^="/sessions/"]', (link) =>
          link.getAttribute('href'),
        )
        const all = await browser.newPage()
        await all.goto(`${shared.file.consoleUrl}${href}`)
        expect(await all.$eval('main', (main) => main.textContent)).toContain('credential.status')
        await page.bringToFront()
      }
      await page.keyboard.press('ArrowRight')
    }
    await page.waitForSelector('#restart')
  })

  it('reports what happened in each step', async () => {
    const id = await startTour()
    for (const step of tourSteps.slice(0, -1)) expect((await perform(id, step)).status).toBe(200)
    const { results, exchanges, wallet, done } = (await perform(id, 'rejected')).body
    expect(done).toEqual([...tourSteps])
    expect(results.present.claims).toContainEqual(
      expect.objectContaining({ path: 'iss', value: shared.pre.idpBaseUrl }),
    )
    expect(results.rejected.rejection).toMatchObject({
      rule: 'credential.status',
      paragraph: expect.stringMatching(/^docs\/profile\//),
    })
    const { passed, evaluated } = results.rejected.rejection
    expect(evaluated - passed).toBe(1)
    expect(wallet.credentials[0].credentialId).toBe(results.revoke.credentialId)
    const parts = exchanges.offer.map((each: { to: string }) => each.to)
    expect(parts).toEqual(expect.arrayContaining(['token-issuer', 'issuer', 'connector']))
  })

  it('does its steps in order, and each step once', async () => {
    const id = await startTour()
    const early = await perform(id, 'accept')
    expect([early.status, early.body.error]).toEqual([409, 'step_too_early'])
    const both = await Promise.all([perform(id, 'wallet'), perform(id, 'wallet')])
    const [one, other] = both.map(({ body }) => body.wallet.id)
    expect(one).toBe(other)
  })

  it('passes on the error of a part, and continues when it works again', async () => {
    const id = await startTour()
    await perform(id, 'wallet')
    await shared.control('/pre/faults/connector-down', { method: 'PUT' })
    const failed = await perform(id, 'offer')
    await shared.control('/pre/faults/connector-down', { method: 'DELETE' })
    expect([failed.status, failed.body.error]).toEqual([409, 'Internal Server Error'])
    expect((await perform(id, 'offer')).status).toBe(200)
  })

  it('reports a rejected login, and logs in again when the step is repeated', async () => {
    const id = await startTour()
    for (const step of tourSteps.slice(0, 4)) await perform(id, step)
    await shared.control('/pre/faults/tir-down', { method: 'PUT' })
    const failed = await perform(id, 'present')
    await shared.control('/pre/faults/tir-down', { method: 'DELETE' })
    expect([failed.status, failed.body.error]).toEqual([409, 'login_rejected'])
    const repeated = await perform(id, 'present')
    expect([repeated.status, repeated.body.results.present.claims]).toEqual([
      200,
      expect.any(Array),
    ])
  })

  it('reports a rejected login on the page that a person opened', async () => {
    const id = await startTour()
    for (const step of tourSteps.slice(0, 4)) await perform(id, step)
    const browser = createHttpBrowser()
    await browser.get(shared.testbed.createConsoleLink())
    const openPage = () => browser.get(`${shared.file.consoleUrl}/relying-party/login?env=pre`)
    await openPage()
    await shared.control('/pre/faults/tir-down', { method: 'PUT' })
    const failed = await perform(id, 'present')
    await shared.control('/pre/faults/tir-down', { method: 'DELETE' })
    expect([failed.status, failed.body.error]).toEqual([409, 'login_rejected'])
    await openPage()
    const { status, body } = await perform(id, 'present')
    expect([status, body.results.present.claims]).toEqual([200, undefined])
  })

  it.each(['accept', 'present'])(
    'replaces an expired QR code when %s is repeated',
    async (step) => {
      const id = await startTour()
      for (const each of tourSteps.slice(0, tourSteps.indexOf(step as 'accept'))) {
        await perform(id, each)
      }
      await shared.control('/clock', { method: 'POST', json: { advance_seconds: 600 } })
      const statuses = [(await perform(id, step)).status, (await perform(id, step)).status]
      await shared.control('/clock', { method: 'DELETE' })
      expect(statuses).toEqual([409, 200])
    },
  )

  it('answers its own login while the tour of another window waits', async () => {
    const ids = [await startTour(), await startTour()]
    for (const step of tourSteps.slice(0, 4)) for (const id of ids) await perform(id, step)
    for (const id of ids) {
      const { status, body } = await perform(id, 'present')
      expect([status, body.results?.present?.claims]).toEqual([200, expect.any(Array)])
    }
  })

  it('does not claim a rejection if a snapshot from before the revocation was restored', async () => {
    const id = await startTour()
    for (const step of tourSteps.slice(0, 5)) await perform(id, step)
    const snapshot = (await shared.control('/snapshots', { method: 'POST' })).body.id
    await perform(id, 'revoke')
    await shared.control(`/snapshots/${snapshot}/restore`, { method: 'POST' })
    const { status, body } = await perform(id, 'rejected')
    expect([status, body.error]).toEqual([409, 'login_accepted'])
  })

  it('ends with its wallet', async () => {
    const id = await startTour()
    const { wallet } = (await perform(id, 'wallet')).body
    expect((await shared.callConsole('DELETE', `/console/tours/${id}`)).status).toBe(204)
    expect((await perform(id, 'offer')).status).toBe(404)
    const { wallets } = (await shared.callConsole('GET', '/console/wallets?env=pre')).body
    expect(wallets.map((each: { id: string }) => each.id)).not.toContain(wallet.id)
  })
})
