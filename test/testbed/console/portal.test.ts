import type { Page } from 'puppeteer-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { createHttpBrowser, type HttpBrowser } from '#scenarios/harness/http-browser.ts'
import { answerWith, callJson } from '#test/support/http.ts'
import { openBrowser } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'

const shared = shareTestbed()
const at = (path: string) => `${shared.file.consoleUrl}${path}`

/** A browser in which the console is open and the first representative has logged in. */
async function signIn(): Promise<HttpBrowser> {
  const browser = createHttpBrowser()
  await browser.get(shared.testbed.createConsoleLink())
  const { tokenIssuerAccount: account } = shared.pre
  const page = await browser.get(at(`/portal/sign-in?user=${account.username}`))
  expect(page.text).toContain(`value="${account.username}"`)
  const { url } = await browser.submit(page.url, account)
  expect(url).toBe(at('/portal?env=pre'))
  return browser
}

const call = (browser: HttpBrowser, path: string, json: unknown, method = 'POST') =>
  callJson(at(path), {
    method,
    ...(json !== undefined && { json }),
    headers: { cookie: browser.cookiesFor(at('/')), origin: shared.file.consoleUrl },
  })
const showPortal = async (browser: HttpBrowser) => (await browser.get(at('/portal'))).text

const onboarding = { type: 'domain', domain: 'ORG', function: 'Onboarding', action: ['execute'] }

/** The entry of a person in the list of credentials. */
const entryOf = (text: string, person: string) =>
  text
    .split('<li data-credential')
    .slice(1)
    .find((each) => each.includes(person)) ?? ''

async function accept(offer: string): Promise<void> {
  const wallet = createWallet({ http: { allowPrivateAddresses: true } })
  await acceptOffer(wallet, offer, environmentTrust({ environment: shared.pre }, wallet))
}

describe('the issuance portal', () => {
  it('offers every seeded representative to log in', async () => {
    const browser = createHttpBrowser()
    await browser.get(shared.testbed.createConsoleLink())
    const text = await showPortal(browser)
    for (const { organization, representative } of shared.pre.organizations) {
      expect(text).toContain(`<h3>${representative.givenName} ${representative.familyName}</h3>`)
      expect(text).toContain(organization)
      expect(text).toContain(`data-copy="${representative.email}"`)
    }
    expect(text).toContain(`data-copy="${shared.pre.tokenIssuerAccount.password}"`)
  })

  it('orders the own credential, follows its state, and revokes it', async () => {
    const browser = await signIn()
    const ordered = await call(browser, '/console/portal/pre/representative', {
      power: [onboarding],
    })
    expect(ordered.status).toBe(204)
    const text = await showPortal(browser)
    expect(text).toMatch(/<img src="data:image\/png;base64,/)
    const [, link = ''] = /data-copy="(openid-credential-offer:[^"]+)"/.exec(text) ?? []
    const pending = entryOf(text, 'Ana Ruiz')
    expect(pending).toContain('class="badge wait"')

    await accept(link.replaceAll('&amp;', '&'))
    const collected = await showPortal(browser)
    const issued = entryOf(collected, 'Ana Ruiz')
    expect(issued).toContain('class="badge good"')
    // A code that works once is no longer shown.
    expect(collected).not.toMatch(/<img/)

    const [, id] = /="(urn:uuid:[^"]+)"/.exec(issued) ?? []
    const revoke = () => call(browser, '/console/portal/pre/revocations', { credential_id: id })
    expect((await revoke()).status).toBe(204)
    const after = await showPortal(browser)
    expect(after).not.toContain('class="done"')
    const revoked = entryOf(after, String(id))
    expect(revoked).toContain('class="badge bad"')
    expect(revoked).not.toContain('data-call')
    // profile/issuer, Errors: 1.errors.6.
    expect(await revoke()).toMatchObject({
      status: 400,
      body: {
        error: 'issuer_refused',
        error_description: expect.stringContaining(
          '400 Bad Request: The credential is already revoked. Reload the page',
        ),
      },
    })
  })

  it('orders a credential for an employee by email', async () => {
    const browser = await signIn()
    const order = {
      email: 'eva.sanz@almenara.example',
      firstName: '<b>Eva</b>',
      lastName: 'Sanz',
      language: 'es',
      power: [onboarding],
    }
    expect((await call(browser, '/console/portal/pre/employee', order)).status).toBe(204)
    const text = await showPortal(browser)
    expect(text).toContain('The credential offer has been sent to eva.sanz@almenara.example')
    expect(entryOf(text, 'eva.sanz')).toContain('<strong>&lt;b&gt;Eva&lt;/b&gt; Sanz</strong>')
    const { body } = await callJson(`${shared.file.mail.apiUrl}/api/v2/messages`)
    expect(JSON.stringify(body.items[0].Content.Headers)).toContain('eva.sanz@almenara.example')
  })

  it('names the holders of credentials that were ordered elsewhere', async () => {
    await accept(await shared.order({ organization_identifier: 'VATES-A12345678' }))
    expect(entryOf(await showPortal(await signIn()), 'Ana Ruiz')).toContain('class="badge good"')
  })

  it('shows why the issuer rejects an order, in the language of the page', async () => {
    const browser = await signIn()
    await browser.get(at('/portal?lang=es'))
    const power = [{ ...onboarding, function: 'Payments' }]
    expect(await call(browser, '/console/portal/pre/representative', { power })).toEqual(
      answerWith(400, {
        error: 'issuer_refused',
        // profile/issuer, Errors: 1.errors.3.
        error_description: expect.stringMatching(
          /^El emisor ha respondido 400 Bad Request: The requested powers are not authorized for the organization\. Elige /,
        ),
        unmet: expect.objectContaining({
          statement: expect.stringContaining('subset'),
          reasons: [expect.stringContaining('not authorized'), expect.stringContaining('Payments')],
        }),
      }),
    )
  })

  it('keeps the tokens on the server and logs out at the token issuer', async () => {
    const browser = await signIn()
    expect(await showPortal(browser)).not.toMatch(/eyJ[\w-]+\.[\w-]/)
    const { body } = await call(browser, '/console/sign-ins/pre/portal', undefined, 'DELETE')
    const end = new URL(body.location)
    expect([end.origin, end.pathname]).toEqual([shared.pre.tokenIssuerBaseUrl, '/session/end'])
    expect((await browser.get(end.href)).status).toBe(200)
    expect(await showPortal(browser)).toContain('id="accounts"')
  })

  it('asks for a new login once the token has expired', async () => {
    const browser = await signIn()
    await shared.control('/clock', { json: { advance_seconds: 3601 } })
    onTestFinished(async () => {
      await shared.control('/clock', { method: 'DELETE' })
    })
    expect(await showPortal(browser)).toMatch(/role="alert">Your login has expired/)
  })

  it('keeps the user logged in while another login is not complete', async () => {
    const browser = await signIn()
    const page = await browser.get(at('/portal/sign-in'))
    expect(page.url).toContain(shared.pre.tokenIssuerBaseUrl)
    expect(await showPortal(browser)).not.toContain('id="accounts"')
  })

  it('accepts orders only from the browser that logged in', async () => {
    await signIn()
    const other = createHttpBrowser()
    const order = () => call(other, '/console/portal/pre/representative', { power: [onboarding] })
    expect((await order()).status).toBe(401)
    await other.get(shared.testbed.createConsoleLink())
    expect(await order()).toMatchObject({ status: 409, body: { error: 'not_signed_in' } })
  })

  it('says so if the issuer cannot reach the connector', async () => {
    const browser = await signIn()
    await shared.control('/pre/faults/connector-down', { method: 'PUT' })
    const order = { power: [onboarding] }
    const { status, body } = await call(browser, '/console/portal/pre/representative', order)
    await shared.control('/pre/faults/connector-down', { method: 'DELETE' })
    expect([status, body.error_description]).toEqual([
      502,
      expect.stringMatching(/500 .*Error contacting the Connector\. The issuer cannot reach/),
    ])
  })
})

describe('the forms of the portal', () => {
  const textOf = (page: Page, selector: string) =>
    page.$eval(selector, (element) => element.textContent)

  it('are checked while typing, and show the offer without loading the page', async () => {
    const page = await (await openBrowser()).newPage()
    await page.goto(shared.testbed.createConsoleLink())
    await page.goto(at('/portal'))
    await page.click('#accounts .copy')
    await page.waitForSelector('#accounts .copied')
    // The link copies the password; the first button has copied the user name.
    await page.click('#accounts a')
    await page.waitForSelector('#password')
    await page.focus('#password')
    await page.keyboard.press('KeyV', { commands: ['Paste'] })
    const loading = Promise.withResolvers<void>()
    await page.setRequestInterception(true)
    page.on('request', async (request) => {
      if (request.url().endsWith('/portal.js')) await loading.promise
      await request.continue()
    })
    await page.keyboard.press('Enter')
    await page.waitForSelector('#employee')

    await page.type('#email', 'eva')
    loading.resolve()
    await expect
      .poll(() => textOf(page, '#email-problem'))
      .toBe('This is not a valid email address.')
    await page.type('#email', '@almenara.example')
    expect(await textOf(page, '#email-problem')).toBe('')
    await page.click('#employee button')
    expect(await textOf(page, '#lastName-problem')).toMatch(/^Enter the name/)
    await page.type('#firstName', 'Eva')
    await page.type('#lastName', 'Sanz')
    expect(await textOf(page, '#lastName-problem')).toBe('')
    await page.click('#employee button')
    expect(await textOf(page, '#employee [data-problem="power"]')).toBe(
      'Choose at least one action.',
    )
    await page.click('#own button')
    const offer = await page.waitForSelector('#order [data-copy]')
    const link = await offer?.evaluate((element) => element.getAttribute('data-copy'))
    await accept(String(link))
    await page.waitForSelector('#order .done')
    expect(await page.$eval('#email', (field) => field.value)).toBe('eva@almenara.example')
  })
})
