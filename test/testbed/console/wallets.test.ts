import { describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { openBrowser, returnTo, shareSession } from '#test/support/open-console.ts'
import { loginStatus, openLogin, shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()
const { call } = shareSession(shared)

async function createWallet(members: object = {}): Promise<string> {
  const name = `wallet ${crypto.randomUUID()}`
  const { status, body } = await call('POST', '/console/wallets', { env: 'pre', name, ...members })
  expect(status).toBe(201)
  return body.id
}
const scan = async (id: string, json: object) =>
  (await call('POST', `/console/wallets/${id}/scan`, json)).body.activity

describe('a wallet of the console', () => {
  it('receives a credential from the image of an offer and presents it to a login page', async () => {
    const id = await createWallet()
    const image = createQrPng(await shared.order()).toString('base64')
    const received = await scan(id, { image })
    expect([received.state, received.brokenRules]).toEqual(['done', []])
    const { wallets } = (await call('GET', '/console/wallets?env=pre')).body
    const { credentials } = wallets.find((each: { id: string }) => each.id === id)
    expect(credentials).toEqual([
      expect.objectContaining({
        id: received.credentialIds[0],
        name: 'Ana Ruiz',
        organization: 'Almenara Logistics',
        issuer: shared.pre.trustChain.issuer.did,
      }),
    ])
    const { statuses } = (await call('GET', `/console/wallets/${id}/statuses`)).body
    expect(statuses).toEqual({
      [credentials[0].id]: { status: 'valid', at: expect.any(Number) },
    })

    const page = await openLogin(shared.pre)
    const { logins } = (await call('GET', '/console/pending-logins?env=pre')).body
    expect(logins[0]).toMatchObject({ clientId: 'relying-party', state: 'a-state' })
    const presented = await scan(id, { link: logins[0].link })
    expect(presented).toMatchObject({ state: 'done', clientId: shared.pre.verifierDid })
    expect(await loginStatus(shared.pre, page)).toBe('SUCCESS')
    expect((await call('GET', '/console/pending-logins?env=pre')).body.logins).toEqual([])
  })

  it('deviates as chosen, and shows the rule that the verifier found broken', async () => {
    const id = await createWallet()
    await scan(id, { link: await shared.order() })
    await call('PUT', `/console/wallets/${id}/faults`, {
      faults: ['presentation-tampered-credential'],
    })
    const page = await openLogin(shared.pre)
    const { logins } = (await call('GET', '/console/pending-logins?env=pre')).body
    const { brokenRules } = await scan(id, { link: logins[0].link })
    expect(brokenRules).toEqual([
      expect.objectContaining({
        part: 'verifier',
        rule: 'credential.signature',
        paragraph: expect.stringMatching(/^docs\/profile\/[\w-]+\.md#./),
      }),
    ])
    expect(await loginStatus(shared.pre, page)).toBe('FAILED')
  })

  it('stops without the PIN that an offer requires, and says so', async () => {
    const id = await createWallet({ curve: 'Ed25519', did_method: 'jwk' })
    const link = await shared.order({ tx_code: { length: 4 } })
    const { state, problem, steps } = await scan(id, { link })
    expect([state, problem.code]).toEqual(['stopped', 'pin_required'])
    expect(steps.map(({ type }: { type: string }) => type)).toContain('pin-requested')
  })

  it('explains every member of a credential, and deletes it', async () => {
    const id = await createWallet()
    const { credentialIds } = await scan(id, { link: await shared.order() })
    const path = `/console/wallets/${id}/credentials/${credentialIds[0]}`
    const { header, payload } = (await call('GET', path)).body
    const unexplained = [...header, ...payload].filter(({ explanation }) => !explanation)
    expect(unexplained.map(({ path }) => path)).toEqual([])
    expect(payload.length).toBeGreaterThan(20)
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(404)
  })

  it.each([
    ['an unknown fault', { faults: ['no-such-fault'] }, 400, 'unknown_fault'],
    ['an unknown environment', { env: 'none' }, 404, 'unknown_environment'],
    ['an empty name', { name: ' ' }, 400, 'invalid_request'],
  ])('is not created with %s', async (_, members, status, code) => {
    const answer = await call('POST', '/console/wallets', { env: 'pre', name: 'w', ...members })
    expect([answer.status, answer.body.error]).toEqual([status, code])
  })

  it('rejects a string without a link, and an image without a code', async () => {
    const id = await createWallet()
    const path = `/console/wallets/${id}/scan`
    const image = Buffer.from('no image').toString('base64')
    const answers = [{ link: 'hello' }, { image }, {}].map((json) => call('POST', path, json))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 400, 400])
  })

  it('needs the session of the console', async () => {
    const answer = await fetch(`${shared.file.consoleUrl}/console/wallets?env=pre`)
    expect(answer.status).toBe(401)
  })
})

describe('the wallets section', () => {
  it('creates a wallet, receives a credential and presents it in a browser', async () => {
    const page = await (await openBrowser()).newPage()
    await page.goto(shared.testbed.createConsoleLink())
    await page.goto(`${shared.file.consoleUrl}/wallets`)
    await page.locator('.new-wallet:not([open]) summary').click()
    const name = '<img src=x onerror=alert(1)>'
    await page.locator('#name').fill(name)
    await page.click('#new-wallet button')
    await page
      .locator('.wallet-heading h2')
      .filter(({ textContent }) => textContent === '<img src=x onerror=alert(1)>')
      .wait()
    await page.click('#receive')
    await page.waitForSelector('.credential.valid')
    const login = await openLogin(shared.pre)
    await page.waitForSelector('.present:not(:disabled)')
    await page.click('.present')
    await page.waitForSelector('.activity:has(.badge.good) + .activity')
    expect(await loginStatus(shared.pre, login)).toBe('SUCCESS')
    expect(await page.$$('img[src="x"]')).toEqual([])
    // Each DID has its name, is shortened, and can be copied.
    await page.click('.credential .actions button')
    await page.waitForSelector('#decoded[open]')
    const { did } = shared.pre.trustChain.issuer
    const named = await page.$$eval('#decoded .named', (all) =>
      all.map((each) => [
        each.textContent?.replace(/ did:.*/s, ''),
        each.querySelector('[data-copy]')?.getAttribute('data-copy')?.split('#')[0],
      ]),
    )
    expect(named).toContainEqual(['Issuer', did])
    expect(named).toContainEqual([
      'Ana Ruiz, Almenara Logistics',
      expect.stringMatching(/^did:key:\w+$/),
    ])

    // From an email or a login page: the form with the link comes first, ready to be sent.
    await page.goto(`${shared.file.consoleUrl}/wallets?link=openid-credential-offer%3A`)
    await page.waitForSelector('#scan button:focus')
    expect(await page.$eval('.action-column form', ({ id }) => id)).toBe('scan')
    expect(await page.$eval('#link', (field) => field.value)).toBe('openid-credential-offer:')
  })

  it('shows by the clock of the testbed, and in UTC, until when a credential is valid', async () => {
    const id = await createWallet()
    await scan(id, { link: await shared.order() })
    const page = await (await openBrowser()).newPage()
    await page.goto(shared.testbed.createConsoleLink())
    const { wallets } = (await call('GET', '/console/wallets?env=pre')).body
    const { credentials } = wallets.find((each: { id: string }) => each.id === id)
    const day = new Date(credentials[0].validUntil * 1000).getUTCDate()
    // At any time, one of these zones has another day.
    for (const zone of ['Etc/GMT+12', 'Pacific/Kiritimati']) {
      await page.emulateTimezone(zone)
      await page.goto(`${shared.file.consoleUrl}/wallets?lang=es`)
      await page.waitForSelector('.credential.valid')
      const period = await page.$eval('.credential dd:nth-of-type(2)', (dd) => dd.textContent)
      expect([zone, period]).toEqual([
        zone,
        expect.stringMatching(new RegExp(`al ${day} \\D+ \\d{4}$`)),
      ])
    }
    await shared.control('/clock', { json: { advance_seconds: 400 * 86_400 } })
    await returnTo(page)
    await page.waitForSelector('.credential.expired')
    await shared.control('/clock', { method: 'DELETE' })
    await returnTo(page)
    await page.waitForSelector('.credential.valid')
  })
})
