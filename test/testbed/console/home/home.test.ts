import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Hop } from '#kit/traces.ts'
import { type OpenConsole, openConsole } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { describeActivity } from '#testbed/console/home/activity.ts'
import { activityTexts } from '#testbed/console/home/activity-texts.ts'

const shared = shareTestbed()
let opened: OpenConsole
beforeAll(async () => {
  opened = await openConsole(shared)
})
afterAll(() => opened?.close())

describe('the home page', () => {
  it('shows health, version and API of every part of the environment', async () => {
    await opened.page.waitForFunction(
      'document.getElementById("summary").textContent === "All 12 parts are healthy."',
    )
    await opened.page.waitForSelector('.parts .version:not(:empty)')
    const issuer = await opened.textOf(`[data-url="${shared.pre.issuerBaseUrl}"]`)
    expect(issuer).toBe(`Issuer Healthy ${shared.pre.issuerBaseUrl} v1.0.0 API`)
    const { text } = await opened.get('/')
    for (const { url, docsUrl } of shared.testbed.addresses) {
      expect(text).toContain(url)
      if (docsUrl !== undefined) expect(text).toContain(`href="${docsUrl}"`)
    }
  })

  it('adds what happens while it is open, without the seeding of the trust chain', async () => {
    expect(await opened.textOf('#activity')).toMatch(/^Nothing yet/)
    const link = await shared.order()
    const { id } = (
      await shared.callConsole('POST', '/console/wallets', { env: 'pre', name: 'Phone' })
    ).body
    await shared.callConsole('POST', `/console/wallets/${id}/scan`, { link })
    await opened.page.waitForFunction(
      'document.getElementById("activity").innerText.includes("received")',
    )
    expect(await opened.textOf('#activity li:first-child span')).toBe(
      'Ana Ruiz received an OrgPortalLearCredential',
    )
    await opened.clickThrough('#activity li:first-child a')
    await opened.page.waitForFunction('document.body.innerText.includes("/credential")')
    expect(new URL(opened.page.url()).pathname).toBe('/exchanges')
    await opened.visit('/')
    await opened.page.waitForSelector('#activity li')
    expect(await opened.textOf('#activity li:last-child span')).toBe(
      'A credential was offered to a wallet',
    )
  })

  it('names the seeded organizations, and shortens other DIDs', async () => {
    const json = { defect: 'accreditation-revoked' }
    await shared.control('/pre/defective-credentials', { json })
    const { text } = await opened.get('/console/activity?env=pre')
    const { markup } = JSON.parse(text) as { markup: string }
    expect(markup).toMatch(/>TAO accredited z\w{7}… as TI</)
    expect(markup).toMatch(/>TAO revoked the accreditation of z\w{7}…</)
  })

  it('hardly moves what a reader of a phone sees while it loads', async () => {
    const { page } = opened
    await page.evaluateOnNewDocument(`window.shift = 0
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shift += value
      }).observe({ type: 'layout-shift' })`)
    await page.setViewport({ width: 412, height: 915 })
    await opened.visit('/')
    await page.waitForSelector('#summary.good')
    // A tenth of what Web Vitals call good.
    expect(await page.evaluate('window.shift')).toBeLessThan(0.01)
    await page.setViewport({ width: 1280, height: 720 })
  })

  it('shows a chain that does not answer as not working', async () => {
    await shared.control('/pre/faults/chain-down', { method: 'PUT' })
    await opened.visit('/')
    await opened.page.waitForSelector(`[data-url="${shared.pre.chain.rpcUrl}"] .badge.bad`)
    expect(await opened.textOf('#summary')).toMatch(/^\d+ of 12 parts need attention\.$/)
    await shared.control('/pre/faults/chain-down', { method: 'DELETE' })
  })

  it('shows names as text', async () => {
    const { tokenIssuerBaseUrl, tokenIssuerClient } = shared.pre
    const query = new URLSearchParams({
      client_id: tokenIssuerClient.clientId,
      redirect_uri: tokenIssuerClient.redirectUri,
      response_type: 'code',
      scope: 'openid',
    })
    const { page } = opened
    await page.goto(`${tokenIssuerBaseUrl}/auth?${query}`)
    await page.type('[name="username"]', '<img src=x>')
    await page.type('[name="password"]', 'wrong')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    await opened.visit('/')
    await page.waitForSelector('#activity li')
    expect(await opened.textOf('#activity li:first-child span')).toBe(
      'Login of <img src=x> at the token issuer rejected',
    )
    expect(await page.$('#activity img')).toBeNull()
  })
})

/** Exchanges of suites on a running testbed, without the members that no sentence needs. */
const recorded: readonly Hop[] = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../fixture/hops.json'), 'utf8'),
)

const describeIn = (language: 'en' | 'es', hops = recorded) =>
  describeActivity(hops, {
    texts: activityTexts[language],
    clientName: (id) => (id === 'relying-party' ? 'Relying party' : id),
    organizationName: (did) => did.slice(15, 22),
  })
const sentences = (language: 'en' | 'es', hops?: readonly Hop[]) =>
  describeIn(language, hops).map(({ text, reason }) =>
    reason === undefined ? text : `${text}: ${reason}`,
  )

describe('the sentences about what happened', () => {
  it('describes issuance, login, revocation and the rejected login', () => {
    expect(sentences('en').slice(0, 5)).toEqual([
      'A credential was offered to a wallet',
      'Ana Ruiz received an OrgPortalLearCredential',
      'Ana Ruiz logged in at Relying party',
      'Almenara Logistics revoked the credential of Ana Ruiz',
      'Login of Ana Ruiz at Relying party rejected: credential revoked',
    ])
    expect(sentences('es').slice(0, 5)).toEqual([
      'Se ha ofrecido una credencial a una cartera',
      'Ana Ruiz ha recibido una credencial OrgPortalLearCredential',
      'Ana Ruiz ha iniciado sesión en Relying party',
      'Almenara Logistics ha revocado la credencial de Ana Ruiz',
      'Inicio de sesión de Ana Ruiz en Relying party rechazado: credencial revocada',
    ])
  })

  it('describes emails, the trust chain, cancelled logins, wrong PINs and sign-ins', () => {
    expect(sentences('en').slice(5)).toEqual([
      'Email sent to ana.04800be240@example.org: Your credential from Almenara Logistics',
      'ana.04800be240 received an OrgPortalLearCredential',
      'z1gAD1d was registered',
      'z16SWra accredited z1gAD1d as TAO',
      'z16SWra revoked the accreditation of z1gAD1d',
      'Login of Ana Ruiz at Relying party rejected: accreditation of the issuer revoked',
      'A login at Relying party was cancelled',
      'The issuer rejected a wallet that opened an offer: The tx_code is wrong.',
      'The issuer rejected a wallet that opened an offer: Too many wrong values of tx_code: the offer has ended. Request a new one.',
      'Login of ana.ruiz@almenara.example at the token issuer rejected',
      'ana.ruiz@almenara.example logged in at the token issuer',
    ])
  })

  it('folds repetitions, and marks the texts of services as quoted', () => {
    const entries = describeIn('es')
    const pin = entries.find(({ reason }) => reason === 'The tx_code is wrong.')
    expect(pin).toMatchObject({ times: 4, tone: 'bad', isQuoted: true })
    const revoked = entries.find(({ reason }) => reason === 'credencial revocada')
    expect(revoked).not.toHaveProperty('isQuoted')
    expect(revoked?.times).toBe(1)
  })

  it('names the exchange with the evaluated rules of a login', () => {
    const rejected = describeIn('en').find(({ reason }) => reason === 'credential revoked')
    const shown = recorded.find(({ id }) => id === rejected?.id)
    expect([shown?.from, shown?.url]).toEqual(['wallet', expect.stringMatching(/^\/responses\//)])
  })

  it('does not describe what a service rejected or a transaction that reverted as done', () => {
    const failed = recorded
      .filter(({ to }) => to === 'idp' || to === 'did-registry' || to === 'tir')
      .map((hop) => {
        if (hop.url.endsWith('/transactions/send'))
          return { ...hop, responseBody: { receipt: { status: 0 } } }
        if (hop.to === 'tir') return { ...hop, responseBody: { error: { code: -32000 } } }
        return hop.url === '/idp/api/auth/results' ? { ...hop, status: 401 } : hop
      })
    expect(sentences('en', failed)).toEqual(['A login at Relying party was cancelled'])
  })

  it('describes a login even if its beginning is no longer recorded', () => {
    const results = recorded.filter(({ url }) => url === '/idp/api/auth/results')
    expect(sentences('en', results)).toEqual([
      'Ana Ruiz logged in',
      'Login rejected: credential revoked',
      'Login rejected: accreditation of the issuer revoked',
    ])
  })

  it('names a service that is not available', () => {
    const [first] = recorded
    const hop = { ...first, to: 'issuer', from: 'portal', status: 503 } as Hop
    expect(sentences('en', [hop])).toEqual(['The service issuer returned 503 to the portal'])
  })

  it('survives bodies of any shape', () => {
    const shapes = [undefined, null, 'text', 7, [], {}, { credential: 'a.b.c' }, { did: 1 }]
    const hops = recorded.flatMap((hop) =>
      shapes.map((body) => ({ ...hop, requestBody: body, responseBody: body })),
    )
    expect(() => describeIn('en', hops)).not.toThrow()
  })
})
