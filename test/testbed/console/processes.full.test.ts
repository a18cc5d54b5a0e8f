import { decodeJwt } from 'jose'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { realSeconds } from '#scenarios/harness/control-client.ts'
import { callJson } from '#test/support/http.ts'
import { type OpenConsole, openConsole } from '#test/support/open-console.ts'
import { openLogin, shareTestbed } from '#test/support/running-testbed.ts'
import { expectReadSince } from '#test/support/timing.ts'
import { sections } from '#testbed/console/frame/sections.ts'
import { tourSteps } from '#testbed/console/tour/tour-steps.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'

// The other tests of the console run the services in its own process.
const shared = shareTestbed({ processes: true })
let opened: OpenConsole
/** What the browser reported: scripts that failed, and responses with an error of the server. */
const problems: string[] = []
beforeAll(async () => {
  opened = await openConsole(shared)
  opened.page.on('pageerror', (error) => problems.push(String(error)))
  opened.page.on('response', (response) => {
    if (response.status() >= 500) problems.push(`${response.status()} ${response.url()}`)
  })
})
afterAll(() => opened?.close())

const organization = 'VATES-A12345678'

const press = (selector: string) => opened.page.locator(selector).click()
const appears = (selector: string) => opened.page.waitForSelector(selector)

async function createHolder(fault?: string) {
  const faults = fault === undefined ? [] : findFaults([fault])
  const wallet = createWallet({ http: { allowPrivateAddresses: true }, faults })
  const trust = environmentTrust({ environment: shared.pre }, wallet)
  const [accepted] = await acceptOffer(wallet, await shared.order(), trust)
  return {
    credential: accepted?.credential.credential ?? '',
    present: (link: string) => present(wallet, link, trust),
  }
}

/** Logs in at the relying party up to the page with the QR code; returns its link. */
async function openRelyingParty(): Promise<string> {
  await opened.visit('/relying-party')
  await press('#log-in')
  const link = await appears('#same-device')
  return String(await link?.evaluate((each) => each.getAttribute('href')))
}

describe('the console of a testbed with a process for each service', () => {
  it.each(sections)('opens the section $name', async ({ path }) => {
    problems.length = 0
    const { page, visit } = opened
    await visit(path)
    await appears('html[data-ready] main h1')
    expect(await page.$('main [role="alert"]:not(:empty)')).toBeNull()
    expect(problems).toEqual([])
  })

  it('shows the health and version of every part', async () => {
    await opened.visit('/')
    await appears('#summary.badge.good')
    await opened.page.waitForFunction(
      'document.querySelectorAll("[data-url] .version:not(:empty)").length > 5',
    )
  })

  it('performs the whole tour', async () => {
    const { page, visit, textOf } = opened
    await visit('/tour')
    for (const step of tourSteps) {
      await appears(`[data-step="${step}"][data-done="false"]`)
      await page.keyboard.press('ArrowRight')
      await appears(`[data-step="${step}"][data-done="true"]`)
      if (step === 'rejected') {
        await appears('.tour-rejection')
        expect(await textOf('.tour-rejection')).toContain('credential.status')
      }
      await page.keyboard.press('ArrowRight')
    }
    await appears('#restart')
  })

  it('logs in at the portal and orders a credential', async () => {
    const { page, visit } = opened
    await visit('/portal')
    await press('#accounts .button')
    await page.locator('#password').fill(shared.pre.tokenIssuerAccount.password)
    await page.keyboard.press('Enter')
    await press('html[data-ready] #own button')
    const offer = await appears('#order [data-copy]')
    const link = await offer?.evaluate((element) => element.getAttribute('data-copy'))
    expect(link).toContain('openid-credential-offer:')
    await appears('[data-credential] .badge.wait')
  })

  it('receives a credential into a wallet and presents it', async () => {
    await opened.visit('/wallets')
    await press('.new-wallet:not([open]) summary')
    await press('#new-wallet button')
    await press('#receive')
    await appears('.credential.valid')
    await openLogin(shared.pre)
    await press('.present:not(:disabled)')
    await appears('.activity:has(.badge.good) + .activity')
  })

  it('creates a test QR code of each group', async () => {
    await opened.visit('/qr-codes')
    for (const name of ['offer-with-pin', 'accreditation-revoked', 'request-without-nonce']) {
      await press(`[data-name="${name}"]`)
      await appears(`#code .code-image`)
    }
  })

  it('registers a DID by form', async () => {
    await opened.visit('/registries/pre/changes')
    await opened.page.type('#name', 'Garza Foods')
    await press('[data-write="dids"] .button')
    await appears('.private-key')
    await opened.clickThrough('.result a[href*="/identifiers/"]')
    expect(await opened.textOf('h1')).toBe('Garza Foods')
  })

  it('explains a credential with the registries of the testbed', async () => {
    const { credential } = await createHolder()
    await opened.visit(`/explain#message=${encodeURIComponent(credential)}`)
    await opened.page.reload()
    await appears('[data-verdict="holds"]')
  })

  it('lists the exchanges of the services and opens one', async () => {
    await opened.visit('/exchanges?journey=all&part=issuer')
    await appears('#diagram [data-row]')
    await opened.page.keyboard.press('Escape')
    await opened.page.evaluate(
      'document.querySelector("[data-row] .hit").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))',
    )
    await appears('#exchange-content pre')
  })

  it('moves the clock, which every service follows', async () => {
    const began = realSeconds()
    await opened.visit('/controls')
    await opened.clickThrough('#clock-86400 button')
    const { body } = await shared.control('/pre/bearer-tokens', {
      json: { organization_identifier: organization },
    })
    await opened.clickThrough('#clock-reset button')
    expectReadSince(decodeJwt(body.access_token).iat ?? 0, began, 86_400)
  })

  it('injects and clears the fault of a service in another process', async () => {
    const login = async () => (await openLogin(shared.pre)).status
    await opened.visit('/controls')
    await opened.clickThrough('#fault-verifier-down button')
    const during = await login()
    await opened.clickThrough('#fault-verifier-down button')
    expect([during, await login()]).toEqual([503, 200])
  })

  it('holds and releases mining', async () => {
    await opened.visit('/controls')
    await opened.clickThrough('#mining button')
    expect((await shared.control('/pre/mining')).body).toEqual({ mode: 'manual' })
    await opened.clickThrough('#mine button')
    await opened.clickThrough('#mining button')
    expect((await shared.control('/pre/mining')).body).toEqual({ mode: 'auto' })
  })

  it('restores a snapshot of every process', async () => {
    await opened.visit('/controls')
    await opened.clickThrough('#snapshot-create button')
    const organizations = async () => (await shared.control('/pre/organizations')).body
    const before = await organizations()
    await shared.control(`/pre/organizations/${organization}`, { method: 'DELETE' })
    expect(await organizations()).not.toEqual(before)
    await opened.page.click('#snapshots ~ ol summary')
    await opened.clickThrough('#restore-0 button')
    expect(await organizations()).toEqual(before)
    await opened.clickThrough('#delete-0 button')
  })

  it('shows an email with its QR code decoded', async () => {
    await opened.visit('/inbox')
    const transport = createTransport({ url: shared.file.mail.smtpUrl })
    await transport.sendMail({
      from: 'a@test.example',
      to: 'rosa@test.example',
      subject: 'Your credential',
      html: '<img src="cid:qr" alt="QR code">',
      attachments: [{ filename: 'qr.png', content: createQrPng('openid4vp://?x=1'), cid: 'qr' }],
    })
    transport.close()
    await press('.mails a')
    await appears('.link code[title="openid4vp://?x=1"]')
  })

  it('logs in at the relying party', async () => {
    const holder = await createHolder()
    await holder.present(await openRelyingParty())
    await appears('#greeting')
    expect(await opened.textOf('#greeting')).toBe('Hello, Ana Ruiz')
    await press('#sign-out')
    await appears('#log-in')
  })

  it('leads from a rejected login to the broken rule', async () => {
    const holder = await createHolder('presentation-wrong-nonce')
    await holder.present(await openRelyingParty())
    await press('#see-why')
    await appears('.broken')
    expect(await opened.textOf('.broken')).toContain('presentation.nonce')
  })

  it('opens the admin panel without its password', async () => {
    await opened.visit('/')
    await opened.clickThrough('#admin-panel')
    expect(opened.page.url()).toBe(`${shared.pre.idpBaseUrl}/admin/`)
  })

  it('runs checks of a conformance plan', async () => {
    const headers = { authorization: `Bearer ${shared.file.control.token}` }
    const { body } = await callJson(`${shared.file.consoleUrl}/console/self-runs`, {
      json: { plan: 'verifier', pattern: '^V0[12]$' },
      headers,
    })
    await opened.visit(body.location)
    await appears(`html[data-ready] a[href="${body.location}/report"]`)
    expect(await opened.page.$$eval('.results .badge.good', ({ length }) => length)).toBe(2)
  })

  it('runs a suite against itself', async () => {
    await opened.visit('/suites')
    await press('input[name="deferred"]')
    await press('input[value="here"]')
    await opened.clickThrough('#suites button')
    await appears('html[data-ready] a[href$="/report"]')
    const badges = await opened.page.$$eval('.results .badge', (all) =>
      all.map(({ className }) => className),
    )
    expect(badges.length).toBeGreaterThan(5)
    expect(new Set(badges)).toEqual(new Set(['badge good']))
  })
})
