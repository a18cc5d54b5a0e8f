import { expect, it, onTestFinished } from 'vitest'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { callJson } from '#test/support/http.ts'
import { type OpenConsole, openConsole } from '#test/support/open-console.ts'
import { openLogin, shareTestbed } from '#test/support/running-testbed.ts'
import { answerEverything } from '#test/support/servers.ts'
import { tourSteps } from '#testbed/console/tour/tour-steps.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'

const shared = shareTestbed()

/** A wallet outside of the console, with a credential. */
async function createHolder(fault: string) {
  const wallet = createWallet({
    http: { allowPrivateAddresses: true },
    faults: findFaults([fault]),
  })
  const trust = environmentTrust({ environment: shared.pre }, wallet)
  await acceptOffer(wallet, await shared.order(), trust)
  return { wallet, trust }
}

/** Fails a login at the demo relying party; the browser shows the IDP's page about it. */
async function failLogin({ page, visit }: OpenConsole) {
  const { wallet, trust } = await createHolder('presentation-wrong-nonce')
  await visit('/relying-party/login')
  const link = await page.$eval('#same-device', (each) => each.getAttribute('href') ?? '')
  await present(wallet, link, trust)
  await page.waitForSelector('#see-why')
}

async function newWallet({ page, visit }: OpenConsole, link = '') {
  await visit(`/wallets${link === '' ? '' : `?link=${encodeURIComponent(link)}`}`)
  await page.waitForSelector('#new-wallet')
  if ((await page.$('.new-wallet[open]')) === null) await page.click('.new-wallet summary')
  await page.locator('#new-wallet button').click()
  await page.waitForSelector('#fault optgroup')
}

async function signIn({ page, visit }: OpenConsole, password: string) {
  await visit('/portal')
  await page.locator('#accounts .button').click()
  await page.locator('#password').fill(password)
  await page.keyboard.press('Enter')
}

/** Starts a run at an address of the console, and opens its page when it has ended. */
async function openRun({ page, visit, call }: OpenConsole, address: string, json: object) {
  const { status, body } = await call(address, json)
  expect(status, JSON.stringify(body)).toBe(200)
  const { location } = body as { location: string }
  await call(`/console${location}/events`)
  await visit(location)
  await page.waitForSelector('.results details summary')
}

interface Refusal {
  /** Makes a real part refuse, and leaves the browser where the product shows it. */
  refuse(opened: OpenConsole): Promise<void>
  /** The element that the first click opens the explanation with; none if it is there already. */
  readonly click?: string
  /** The explanation. */
  readonly place: string
  /** The rule, the expected value, the found value. */
  readonly shows: readonly RegExp[]
  /** Page of the profile behind the link of the last click. */
  readonly profile: string
}

const inExchange = '#exchange .rules .failed'

const refusals: Readonly<Record<string, Refusal>> = {
  'a login, at home': {
    async refuse(opened) {
      await failLogin(opened)
      await opened.visit('/')
    },
    click: '#activity .bad a',
    place: inExchange,
    shows: [/presentation\.nonce/, /nonce/, /.+/],
    profile: 'verifier',
  },
  'a login, at the IDP': {
    refuse: failLogin,
    click: '#see-why',
    place: '.broken',
    shows: [/presentation\.nonce/, /Expected/, /Found/],
    profile: 'verifier',
  },
  'a login, at the relying party': {
    async refuse(opened) {
      await failLogin(opened)
      await opened.clickThrough('#cancel')
    },
    click: '#failure a[href^="/sessions/"]',
    place: '.broken',
    shows: [/presentation\.nonce/, /Expected/, /Found/],
    profile: 'verifier',
  },
  'a login, in the list of logins': {
    async refuse(opened) {
      await failLogin(opened)
      await opened.visit('/sessions?status=FAILED')
    },
    click: '#main a[href^="/sessions/pre/"]',
    place: '.broken',
    shows: [/presentation\.nonce/, /Expected/, /Found/],
    profile: 'verifier',
  },
  'a login, in the admin panel': {
    async refuse(opened) {
      await failLogin(opened)
      await opened.visit('/')
      await opened.clickThrough('#admin-panel')
      await opened.page.goto(`${shared.pre.idpBaseUrl}/admin/sessions?status=FAILED`)
    },
    click: 'main a[href*="/admin/sessions/"]',
    place: '#rules',
    shows: [/presentation\.nonce/, /nonce/, /.+/],
    profile: 'verifier',
  },
  'a request of a wallet, in its section': {
    async refuse(opened) {
      await newWallet(opened)
      await opened.page.select('#fault', 'proof-wrong-aud')
      await opened.page.locator('#receive').click()
    },
    place: '.activity .refusal',
    shows: [/proof\.aud/, /Expected/, /Found/],
    profile: 'connector',
  },
  'an offer that a wallet opens with a wrong PIN': {
    async refuse(opened) {
      await newWallet(opened, await shared.order({ tx_code: { length: 6 } }))
      await opened.page.locator('#pin').fill('999999')
      await opened.page.locator('#scan button').click()
    },
    place: '.activity .refusal',
    shows: [/token-request\.tx-code/, /Expected The request has the PIN/, /Found/],
    profile: 'connector',
  },
  'a presentation, in the section of its wallet': {
    async refuse(opened) {
      await newWallet(opened)
      await opened.page.locator('#receive').click()
      await opened.page.waitForSelector('.credential.valid')
      await opened.page.select('#fault', 'presentation-tampered-credential')
      await opened.page.waitForSelector('.warning')
      await openLogin(shared.pre)
      await opened.page.locator('.present:not(:disabled)').click()
    },
    place: '.activity .refusal',
    shows: [/credential\.signature/, /Expected/, /Found/],
    profile: 'credential',
  },
  'a request that the wallet itself refuses': {
    async refuse(opened) {
      const { page, visit } = opened
      await visit('/qr-codes')
      await page.locator('[data-name="request-without-nonce"]').click()
      await page.waitForSelector('#in-wallet')
      const link = await page.$eval('#in-wallet', (each) => each.getAttribute('href') ?? '')
      await newWallet(opened)
      await page.locator('#receive').click()
      await page.waitForSelector('.credential.valid')
      await visit(link)
      await page.locator('#scan button').click()
    },
    place: '.activity .refusal',
    shows: [/request\.nonce/, /Expected/, /Found/],
    profile: 'verifier',
  },
  'a test QR code': {
    async refuse({ page, visit }) {
      await visit('/qr-codes')
      await page.waitForSelector('.code-entry')
    },
    click: '[data-name="request-without-nonce"]',
    place: '#code dl',
    shows: [/request\.nonce/, /reject/i, /.+/],
    profile: 'verifier',
  },
  'an order in the portal': {
    async refuse(opened) {
      const { page } = opened
      await signIn(opened, shared.pre.tokenIssuerAccount.password)
      await page.locator('#own details summary').click()
      await page.locator('#own details input').click()
      await page.locator('#own button').click()
    },
    place: '#own .refusal',
    shows: [/issuance\.power-authorized/, /Expected The requested powers/, /Found.*Payments/],
    profile: 'issuer',
  },
  'a wrong password, at home': {
    async refuse(opened) {
      await signIn(opened, 'not the password')
      await opened.page.waitForSelector('[role="alert"]')
      await opened.visit('/')
    },
    click: '#activity .bad a',
    place: inExchange,
    shows: [/sign-in\.password/, /User name and password are those/, /.+/],
    profile: 'token-issuer',
  },
  'a wrong password, at the login of the portal': {
    refuse: (opened) => signIn(opened, 'not the password'),
    click: '#see-why',
    place: inExchange,
    shows: [/sign-in\.password/, /Expected User name and password are those/, /Found/],
    profile: 'token-issuer',
  },
  'a wallet, at the login of the portal': {
    async refuse(opened) {
      const { wallet, trust } = await createHolder('presentation-wrong-nonce')
      await opened.visit('/portal')
      await opened.clickThrough('#with-wallet')
      await opened.clickThrough('#broker-credential-idp')
      await opened.page.waitForSelector('#same-device')
      const link = await opened.page.$eval('#same-device', (each) => each.getAttribute('href'))
      await present(wallet, String(link), trust)
      await opened.page.waitForSelector('#see-why')
      await opened.clickThrough('#cancel')
    },
    click: '#see-why',
    place: '.broken',
    shows: [/presentation\.nonce/, /Expected/, /Found/],
    profile: 'verifier',
  },
  'the last login of the tour': {
    async refuse({ page, visit }) {
      await visit('/tour')
      for (const step of tourSteps) {
        await page.locator(`[data-step="${step}"][data-done="false"] .tour-forward`).click()
        await page.waitForSelector(`[data-step="${step}"][data-done="true"]`)
        if (step !== 'rejected') await page.click('.tour-forward')
      }
    },
    place: '.tour-rejection .refusal',
    shows: [/credential\.status/, /Expected/, /Found.*revoked/, /How to fix it/],
    profile: 'credential',
  },
  'a failed check of a plan': {
    async refuse(opened) {
      const url = await answerEverything(200, {})
      const text = `plan: did-registry\nname: Stub\nbaseUrl: ${url}\nenvironment: pre\n`
      await openRun(opened, '/console/target-runs', { plan: 'did-registry', name: 'stub', text })
    },
    click: '.results details summary',
    place: '.results details[open]',
    shows: [/Expected/, /Found/, /Rule 2\./, /Paragraph/],
    profile: '(did-registry|README)',
  },
  'a failed scenario of a suite': {
    async refuse(opened) {
      const fault = '/pre/faults/did-registry-down'
      await shared.control(fault, { method: 'PUT' })
      onTestFinished(async () => void (await shared.control(fault, { method: 'DELETE' })))
      await openRun(opened, '/console/suite-runs', { testbed: 'here', revocation: true })
    },
    click: '.results details summary',
    place: '.results details[open]',
    shows: [/Expected/, /Found/, /Rule/, /Paragraph/],
    profile: '[a-z-]+',
  },
  'a revocation of an unknown credential, at home': {
    async refuse({ visit }) {
      const json = { organization_identifier: 'VATES-A12345678' }
      const { access_token: token } = (await shared.control('/pre/bearer-tokens', { json })).body
      await callJson(`${shared.pre.issuerBaseUrl}/issuance/credential/revoke`, {
        json: { credential_id: 'urn:uuid:00000000-0000-4000-8000-000000000000' },
        headers: { authorization: `Bearer ${token}` },
      })
      await visit('/')
    },
    click: '#activity .bad a',
    place: inExchange,
    shows: [/revocation\.known-credential/, /The issuer has a record/, /0000-4000/],
    profile: 'issuer',
  },
  'an unknown accreditation, among the exchanges': {
    async refuse({ visit }) {
      await fetch(`${shared.pre.tirBaseUrl}/v1/issuers/did:org:uc-pre:x/attributes/00`)
      await visit('/exchanges?journey=all&part=tir&status=failing')
    },
    click: '#diagram [data-row]',
    place: inExchange,
    shows: [/tir\.published/, /The TIR has this attribute/, /.+/],
    profile: 'tir',
  },
  'a pasted offer': {
    async refuse({ page, visit }) {
      const offer = encodeURIComponent('{"credential_issuer":"https://issuer.example"}')
      await visit('/explain')
      await page.locator('#message').fill(`openid-credential-offer://?credential_offer=${offer}`)
      await page.locator('#explain button:not([type="button"])').click()
    },
    place: '.rule-list .broken',
    shows: [/offer\.credentials/, /credentials/, /.+/],
    profile: 'connector',
  },
  'a reverted transaction, below its form': {
    async refuse({ page, visit }) {
      await visit('/registries/pre/changes')
      await page.locator('#subject').fill(shared.pre.trustChain.tao.did)
      await page.select('#accreditor', shared.pre.trustChain.issuer.did)
      await page.locator('[data-write="accreditations"] button').click()
    },
    place: '.result .refusal',
    shows: [
      /TrustedIssuersRegistryNotAccredited/,
      /Expected The accrediting organization/,
      /Found/,
    ],
    profile: 'trust-chain',
  },
  'a reverted transaction, by its receipt': {
    async refuse({ page, visit }) {
      await visit('/registries/pre/changes')
      await page.locator('#subject').fill(shared.pre.trustChain.tao.did)
      await page.select('#accreditor', shared.pre.trustChain.issuer.did)
      await page.locator('[data-write="accreditations"] button').click()
      await page.waitForSelector('.result .refusal')
    },
    click: '.result .alert a[href*="/transactions/"]',
    place: '#main .card dl',
    shows: [/TrustedIssuersRegistryNotAccredited/, /Expected The accrediting/, /Paragraph/],
    profile: 'trust-chain',
  },
}

it.each(Object.entries(refusals))(
  '%s is two clicks from its paragraph',
  async (_name, { refuse, click, place, shows, profile }) => {
    const opened = await openConsole(shared)
    onTestFinished(() => opened.close())
    const { page, textOf } = opened
    await refuse(opened)
    if (click !== undefined) {
      const element = await page.waitForSelector(click)
      await element?.click()
    }
    await page.waitForSelector(place)
    const text = await textOf(place)
    for (const part of shows) expect(text).toMatch(part)
    if (page.url().startsWith(shared.file.consoleUrl)) await expectAccessible(page)
    const href = await page.$eval(`${place} a[href*="/docs/profile/"]`, (each) => String(each.href))
    expect(href).toMatch(new RegExp(`/docs/profile/${profile}(\\.md)?#.+`))
    expect((await page.goto(href))?.status()).toBe(200)
  },
)
