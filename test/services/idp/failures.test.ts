import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { allDefects } from '#conformance/world/defects/create-credential-with-defect.ts'
import { issueCredential } from '#conformance/world/issue-credential.ts'
import { loadConfig } from '#kit/load-config.ts'
import { createLog } from '#kit/log.ts'
import { brokenRulesOf } from '#scenarios/fixtures/login-page.ts'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'
import { zIdpConfig } from '#services/idp/config.ts'
import type { FailureReason } from '#services/idp/domain/login.ts'
import { english, spanish } from '#services/idp/pages/texts.ts'
import {
  linkOf,
  otherParty,
  relyingParty,
  sessionOf,
  startLoginSystem,
  stateOf,
} from '#test/support/login-system.ts'
import { createTestRuntime } from '#test/support/services.ts'
import {
  apiKey,
  beginPortalLogin,
  brokerClient,
  password,
  portal,
  startPortalSystem,
} from '#test/support/token-issuer.ts'
import { idpApiKey, verifierApiKey } from '#test/support/verifier.ts'

function startWithLog() {
  const lines: { service?: string; level: number; unavailable?: string[]; code?: string }[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  return { lines, runtime: createTestRuntime({ log: createLog({ level: 'info', destination }) }) }
}

const readHealth = async (baseUrl: string) => {
  const response = await fetch(`${baseUrl}/health`)
  return [response.status, await response.json()]
}

/** Exactly the documented answer. */
const healthyAnswer = [200, { status: 'ok', db: 'connected' }]
/** The documented answer, and the service that a login needs. */
const healthWithout = (service: string) => [
  200,
  { status: 'ok', db: 'connected', dependencies: { [service]: 'unavailable' } },
]

describe('a login during an outage fails, and page, health and log say so', () => {
  // @row 1.errors.10
  it.each([
    ['tir-down', 'tir'],
    ['tir-slow', 'tir'],
    ['did-registry-down', 'did-registry'],
    ['status-list-down', 'status-list'],
  ] as const)('%s', async (fault, service) => {
    const { lines, runtime } = startWithLog()
    // The default limit of five seconds would only make this test slow.
    const settings = fault === 'tir-slow' ? { lookupTimeoutMilliseconds: 1000 } : {}
    const system = await startLoginSystem(undefined, runtime, settings)
    expect(await readHealth(system.baseUrl)).toEqual(healthyAnswer)
    const { login, page } = await system.openLogin()
    runtime.activeFaults.add(fault)
    await system.present(linkOf(page))
    expect(await (await system.poll(sessionOf(page))).json()).toEqual({ status: 'FAILED' })
    const failed = await login.browser.get(page.url)
    expect(stateOf(failed)).toBe('failed')
    expect(failed.text).toContain('data-reason="service-unavailable"')
    expect(failed.text).toContain(`<b>${service}</b>: no response`)
    expect(await readHealth(system.baseUrl)).toEqual(healthWithout(service))
    const said = lines.filter(({ unavailable }) => unavailable?.includes(service))
    expect(said.map((line) => line.service)).toContain('idp')
    expect(said.every(({ level }) => level >= 40)).toBe(true)
    // Once it is back, a new code succeeds.
    runtime.activeFaults.clear()
    const renewed = await login.browser.submit(`${page.url}/renew`, {})
    await system.present(linkOf(renewed))
    expect((await login.finish((await login.browser.get(page.url)).url)).access_token).toBeTruthy()
    expect(await readHealth(system.baseUrl)).toEqual(healthyAnswer)
  })

  // @row 1.errors.9
  it('verifier-down', async () => {
    const { lines, runtime } = startWithLog()
    const system = await startLoginSystem(undefined, runtime)
    runtime.activeFaults.add('verifier-down')
    const { page } = await system.openLogin()
    expect([page.status, stateOf(page)]).toEqual([503, undefined])
    expect(page.text).toContain('The verification service is not available.')
    expect(await readHealth(system.baseUrl)).toEqual(healthWithout('verifier'))
    expect(lines.find(({ code }) => code === 'verifier_unavailable')?.level).toBe(50)
  })

  it('verifier-down does not prevent a cancellation', async () => {
    const { lines, runtime } = startWithLog()
    const system = await startLoginSystem(undefined, runtime)
    const { login, page } = await system.openLogin()
    const late = await system.createResponse(linkOf(page))
    runtime.activeFaults.add('verifier-down')
    const back = await login.browser.submit(`${page.url}/cancel`, {})
    expect(new URL(back.url).searchParams.get('error')).toBe('access_denied')
    expect(lines.some(({ level, service }) => level === 40 && service === 'idp')).toBe(true)
    runtime.activeFaults.clear()
    await fetch(late.url, { method: 'POST', body: late.body })
    expect(await (await system.poll(sessionOf(page))).json()).toEqual({ status: 'FAILED' })
  })

  // @row 1.errors.9 1.endpoints/credential-idp.1
  it('database-down, on each page and in each step', async () => {
    const { lines, runtime } = startWithLog()
    const system = await startLoginSystem(undefined, runtime)
    const { login, page } = await system.openLogin()
    runtime.activeFaults.add('database-down')
    expect(await readHealth(system.baseUrl)).toEqual([503, { status: 'error', db: 'disconnected' }])
    for (const url of [login.url, page.url, `${page.url}/return?response_code=x`]) {
      const broken = await login.browser.get(url)
      expect([url, broken.status]).toEqual([url, 503])
      expect(broken.text).toContain('The service cannot reach its database.')
      expect(broken.text).not.toMatch(/\n\s+at |Error:|\.ts:|injected/)
    }
    expect((await login.browser.submit(`${page.url}/renew`, {})).status).toBe(503)
    expect((await system.poll(sessionOf(page))).status).toBe(503)
    expect(lines.some(({ level }) => level === 50)).toBe(true)
    runtime.activeFaults.clear()
    await system.present(linkOf(page))
    const back = await login.browser.get(page.url)
    expect((await login.finish(back.url)).access_token).toBeTruthy()
  })
})

describe('the configuration', () => {
  it.each(['my-idp', '1st', '', 'a b'])('refuses METRIC_NAMESPACE %j', (metricNamespace) => {
    const { error } = zIdpConfig.shape.metricNamespace.safeParse(metricNamespace)
    expect(error?.issues).toMatchObject([{ code: 'invalid_format' }])
  })

  // @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.7
  it('names the accepted type by OID_CREDENTIAL', async () => {
    const config = loadConfig(zIdpConfig, {
      BASE_URL: 'https://idp.example',
      VERIFIER_URL: 'https://verifier.example',
      VERIFIER_API_KEY: 'x',
      API_KEYS: '["an api key of the verifier"]',
      COOKIE_KEYS: '["a cookie key of 32 characters or more"]',
      OID_CREDENTIAL: 'AnotherCredential',
      METRIC_NAMESPACE: 'another',
      QR_EXPIRATION_TIME: '60',
    })
    expect(config).toMatchObject({
      oidCredential: 'AnotherCredential',
      metricNamespace: 'another',
      qrExpirationTime: 60,
    })
    const system = await startLoginSystem((given) => ({ ...given, oidCredential: 'Another' }))
    const { login, page } = await system.openLogin()
    await system.present(linkOf(page))
    expect((await login.browser.get(page.url)).text).toContain('data-reason="wrong-type"')
  })
})

/** The sentence that a page must show if a credential fails this rule. */
const reasonFor: Readonly<Record<string, FailureReason>> = {
  'credential.format': 'malformed',
  'credential.context': 'malformed',
  'credential.type-chain': 'malformed',
  'credential.type': 'wrong-type',
  'credential.power': 'incomplete',
  'credential.employee-id': 'incomplete',
  'credential.expiry': 'expired',
  'credential.not-before': 'not-yet-valid',
  'credential.issued-at': 'issue-date-invalid',
  'credential.algorithm': 'invalid-signature',
  'credential.issuer': 'issuer-unclear',
  'credential.issuer-document': 'issuer-unknown',
  'credential.issuer-key': 'issuer-key-invalid',
  'credential.signature': 'invalid-signature',
  'credential.holder': 'wrong-holder',
  'credential.terms-of-use': 'issuer-not-accredited',
  'credential.status': 'revoked',
  'trust.attribute': 'issuer-not-accredited',
  'trust.not-revoked': 'issuer-not-accredited',
  'trust.period': 'issuer-not-accredited',
  'trust.accredited-for': 'issuer-not-accredited',
  'trust.signature': 'issuer-not-accredited',
  'trust.subject': 'issuer-not-accredited',
  'trust.attribute-id': 'issuer-not-accredited',
  'trust.root': 'issuer-not-accredited',
}

/** One defect for each set of rules that they break: what the page says depends only on these. */
const defects = [
  ...Map.groupBy(allDefects, ({ rule, entails = [] }) => [rule, ...entails].join()).values(),
].flatMap(([defect]) =>
  defect?.rule === undefined ? [] : [{ defect, name: defect.name, rule: defect.rule }],
)

describe('the page of a failed login names the cause first', () => {
  // @row 1.errors.10 1.states-and-transitions.7
  it('for every rule about credentials, in both languages', async () => {
    const system = await startLoginSystem()
    const { world } = system
    const pagesAfter = async (credential: string) => {
      const headers = { 'accept-language': '' }
      const browser = createHttpBrowser([], headers)
      const login = await system.beginLogin({ browser })
      const page = await browser.get(login.url)
      await system.present(linkOf(page), { credential })
      const pages: HttpPage[] = []
      for (const { language } of [english, spanish]) {
        headers['accept-language'] = language
        pages.push(await browser.get(page.url))
      }
      return pages
    }
    const found: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const { defect, name, rule } of defects) {
      const holderDid = world.holder.did
      const credential = issueCredential(world, { holderDid, now: world.now, defect })
      const reason = reasonFor[rule] as FailureReason
      found[name] = (await pagesAfter(credential)).map((failed) => ({
        rule: brokenRulesOf(failed)[0],
        reason: /data-reason="([^"]*)"/.exec(failed.text)?.[1],
        sentence: /role="alert">([^<]*)</.exec(failed.text)?.[1],
      }))
      expected[name] = [english, spanish].map(({ reasons }) => ({
        rule,
        reason,
        sentence: reasons[reason],
      }))
    }
    expect(defects.length).toBeGreaterThan(25)
    expect(found).toEqual(expected)
  })

  it('has a distinct sentence for each reason in both languages', () => {
    for (const { reasons } of [english, spanish]) {
      expect(new Set(Object.values(reasons)).size).toBe(Object.keys(reasons).length)
    }
    expect(Object.keys(spanish.reasons)).toEqual(Object.keys(english.reasons))
  })
})

/** The log of a whole system during logins, at the most verbose level. */
async function startPortalWithLog() {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const runtime = createTestRuntime({ log: createLog({ level: 'trace', destination }) })
  return { lines, ...(await startPortalSystem(runtime)) }
}

/** The values in a URL or a form that grant access. */
const secretParameters = ['code', 'state', 'nonce', 'ticket', 'response_code', 'code_challenge']

function secretsOf(addresses: readonly string[]): string[] {
  const queries = addresses.map((url) => new URL(url).searchParams)
  return queries.flatMap((query) => secretParameters.flatMap((name) => query.getAll(name)))
}

const cookiesOf = (header: string) => header.split('; ').map((cookie) => cookie.split('=')[1] ?? '')

describe('the logs of IDP, verifier and token issuer', () => {
  it('contain no secret of successful or failed logins', async () => {
    const { lines, idp, issuerUrl, openWalletLogin } = await startPortalWithLog()
    const secrets = [
      ...[relyingParty, otherParty, brokerClient, portal].map(({ clientSecret }) => clientSecret),
      ...[apiKey, idpApiKey, verifierApiKey, password, 'a cookie key of 32 characters or more'],
    ]

    // By the portal, through the broker, with the wallet.
    const { login, page, link } = await openWalletLogin()
    const { redirect_uri: returned = '' } = await idp.present(link)
    secrets.push(...cookiesOf(login.browser.cookiesFor(page.url)))
    const back = await login.browser.get(returned)
    secrets.push(...secretsOf([...page.visited, returned, ...back.visited]))
    const bearer = await login.finish(back.url)
    secrets.push(bearer.access_token, bearer.id_token ?? '')

    // By a relying party: tokens, userinfo, refresh, and the second use of a code.
    const { login: direct, back: answer, finish } = await idp.logIn()
    const tokens = await finish()
    await client.fetchUserInfo(direct.provider, tokens.access_token, tokens.claims()?.sub ?? '')
    const refreshed = await client.refreshTokenGrant(direct.provider, tokens.refresh_token ?? '')
    await finish().catch(() => {})
    secrets.push(...secretsOf([direct.url, ...answer.visited]))
    for (const each of [tokens, refreshed]) {
      secrets.push(each.access_token, each.id_token ?? '', each.refresh_token ?? '')
    }

    // With a wrong and a right password.
    const local = await beginPortalLogin(issuerUrl)
    const form = await local.browser.get(local.url)
    const wrong = 'a password that is wrong'
    await local.browser.submit(form.url, { username: 'ana', password: wrong })
    const done = await local.browser.submit(form.url, { username: 'ana', password })
    secrets.push(wrong, ...cookiesOf(local.browser.cookiesFor(form.url)), ...secretsOf([done.url]))

    // While services are unavailable, and with credentials that fail.
    for (const fault of ['tir-down', 'did-registry-down', 'status-list-down', 'verifier-down']) {
      const { login: failing, page: shown } = await idp.openLogin()
      idp.runtime.activeFaults.add(fault as 'tir-down')
      await idp.present(linkOf(shown))
      secrets.push(...secretsOf((await failing.browser.get(shown.url)).visited))
      await failing.browser.submit(`${shown.url}/renew`, {})
      const refused = await openWalletLogin()
      secrets.push(...secretsOf([failing.url, ...refused.page.visited]))
      idp.runtime.activeFaults.clear()
    }
    const callback = `${issuerUrl}/broker/wallet/endpoint`
    const stray = `${callback}?state=${'s'.repeat(43)}&code=${'c'.repeat(43)}`
    await login.browser.get(stray)
    secrets.push(...secretsOf([stray]))
    idp.runtime.activeFaults.add('database-down')
    await direct.browser.get(direct.url)
    await fetch(`${idp.baseUrl}/accounts/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...brokerClient, code: 'a code for an unavailable database' }),
    })
    idp.runtime.activeFaults.clear()
    secrets.push('a code for an unavailable database')

    expect(lines.length).toBeGreaterThan(100)
    const log = lines.join('')
    expect(log).toContain('verifier_unavailable')
    expect(log).toContain('database_unavailable')
    const looked = new Set(secrets.filter((secret) => secret.length > 7))
    expect(looked.size).toBeGreaterThan(60)
    // The last part of a token is enough to find it.
    const parts = [...looked].flatMap((secret) => [secret, secret.split('.').at(-1) ?? secret])
    expect(parts.filter((part) => log.includes(part))).toEqual([])
    expect(log).not.toMatch(/"d":"|eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{10}/)
  })
})
