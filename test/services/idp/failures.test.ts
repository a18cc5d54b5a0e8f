import { describe, expect, it } from 'vitest'
import { mandate } from '#conformance/world/create-trust-world.ts'
import { allDefects } from '#conformance/world/defects/create-credential-with-defect.ts'
import { issueCredential } from '#conformance/world/issue-credential.ts'
import { loadConfig } from '#kit/load-config.ts'
import { createLog } from '#kit/log.ts'
import { brokenRulesOf } from '#scenarios/fixtures/login-page.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { zIdpConfig } from '#services/idp/config.ts'
import type { FailureReason } from '#services/idp/domain/login.ts'
import { english, spanish } from '#services/idp/pages/texts.ts'
import {
  type LoginSystem,
  linkOf,
  sessionOf,
  startLoginSystem,
  stateOf,
} from '#test/support/login-system.ts'
import { createTestRuntime } from '#test/support/services.ts'

function startWithLog() {
  const lines: { service?: string; level: number; unavailable?: string[]; code?: string }[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  return { lines, runtime: createTestRuntime({ log: createLog({ level: 'info', destination }) }) }
}

const readHealth = async (baseUrl: string) => {
  const response = await fetch(`${baseUrl}/health`)
  return [response.status, await response.json()]
}

const connected = {
  verifier: 'connected',
  'did-registry': 'connected',
  tir: 'connected',
  'status-list': 'connected',
}
/** The document's answer, which stays the same while a service that a login needs is away. */
const healthWithout = (missing: object = {}) => [
  200,
  { status: 'ok', db: 'connected', dependencies: { ...connected, ...missing } },
]
const well = healthWithout()

describe('a login while something is away fails closed, and page, health and log say so', () => {
  // @row 1.errors.10
  it.each([
    ['tir-down', 'tir'],
    ['tir-slow', 'tir'],
    ['did-registry-down', 'did-registry'],
    ['status-list-down', 'status-list'],
  ] as const)('%s', async (fault, service) => {
    const { lines, runtime } = startWithLog()
    const system = await startLoginSystem(undefined, runtime)
    expect(await readHealth(system.baseUrl)).toEqual(well)
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    runtime.activeFaults.add(fault)
    await system.present(linkOf(page))
    expect(await (await system.poll(sessionOf(page))).json()).toEqual({ status: 'FAILED' })
    const failed = await login.browser.get(page.url)
    expect(stateOf(failed)).toBe('failed')
    expect(failed.text).toContain('data-reason="service-unavailable"')
    expect(failed.text).toContain(`<b>${service}</b>: no answer`)
    expect(await readHealth(system.baseUrl)).toEqual(healthWithout({ [service]: 'unavailable' }))
    const said = lines.filter(({ unavailable }) => unavailable?.includes(service))
    expect(said.map((line) => line.service)).toContain('idp')
    expect(said.every(({ level }) => level >= 40)).toBe(true)
    // Once it is back, a new code succeeds.
    runtime.activeFaults.clear()
    const renewed = await login.browser.submit(`${page.url}/renew`, {})
    await system.present(linkOf(renewed))
    expect((await login.finish((await login.browser.get(page.url)).url)).access_token).toBeTruthy()
    expect(await readHealth(system.baseUrl)).toEqual(well)
  })

  // @row 1.errors.9
  it('verifier-down', async () => {
    const { lines, runtime } = startWithLog()
    const system = await startLoginSystem(undefined, runtime)
    runtime.activeFaults.add('verifier-down')
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    expect([page.status, stateOf(page)]).toEqual([503, undefined])
    expect(page.text).toContain('The verification service is not available.')
    const dependencies = { verifier: 'unavailable' }
    expect(await readHealth(system.baseUrl)).toEqual([
      200,
      { status: 'ok', db: 'connected', dependencies },
    ])
    expect(lines.find(({ code }) => code === 'verifier_unavailable')?.level).toBe(50)
  })

  // @row 1.errors.9 1.endpoints/credential-idp.1
  it('database-down, on each page and in the middle of each step', async () => {
    const { lines, runtime } = startWithLog()
    const system = await startLoginSystem(undefined, runtime)
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
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

describe('a credential that breaks a rule', () => {
  type Payload = ReturnType<LoginSystem['world']['credentialPayload']>
  const withMandate = ({ vc, ...payload }: Payload, change: object) => ({
    ...payload,
    vc: {
      ...vc,
      credentialSubject: { ...vc.credentialSubject, mandate: { ...mandate, ...change } },
    },
  })
  const bad: Readonly<Record<string, [string, (system: LoginSystem) => string]>> = {
    'past validUntil': [
      'expired',
      ({ world }) => {
        const { vc, ...payload } = world.credentialPayload()
        const validUntil = new Date((world.now - 10) * 1000).toISOString()
        return world.issue({ ...payload, exp: world.now - 10, vc: { ...vc, validUntil } })
      },
    ],
    'signed by another key': [
      'invalid-signature',
      ({ world }) => {
        const { privateKey } = world.createParty('somebody else')
        return world.sign(world.credentialPayload(), { ...world.issuer, privateKey })
      },
    ],
    'of an issuer that is no longer accredited': [
      'issuer-not-accredited',
      ({ world }) => {
        world.attributeOf(world.issuer).attribute.issuerType = 'REVOKED'
        return world.issue()
      },
    ],
    'without a power': [
      'incomplete',
      ({ world }) => world.issue(withMandate(world.credentialPayload(), { power: [] })),
    ],
    'without an employeeId': [
      'incomplete',
      ({ world }) => {
        const { employeeId: _, ...mandatee } = mandate.mandatee
        return world.issue(withMandate(world.credentialPayload(), { mandatee }))
      },
    ],
    'that was revoked': [
      'revoked',
      ({ world }) => {
        world.publishStatusList([7])
        return world.issue()
      },
    ],
  }

  // @row 1.errors.10 1.states-and-transitions.7
  it.each(Object.entries(bad))('%s: FAILED, and the page says why', async (_name, [reason, of]) => {
    const system = await startLoginSystem()
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    await system.present(linkOf(page), { credential: of(system) })
    expect(await (await system.poll(sessionOf(page))).json()).toEqual({ status: 'FAILED' })
    const failed = await login.browser.get(page.url)
    expect([failed.status, stateOf(failed)]).toEqual([200, 'failed'])
    expect(failed.text).toContain(`data-reason="${reason}"`)
    expect(failed.text).toContain(english.reasons[reason as FailureReason])
    expect(failed.visited).toEqual([page.url])
  })
})

describe('the configuration', () => {
  it('takes a base address with a slash at its end for the same one without', () => {
    const { baseUrl, verifierUrl } = zIdpConfig.shape
    expect(baseUrl.parse('https://idp.example/')).toBe('https://idp.example')
    expect(verifierUrl.parse('https://verifier.example/v1//')).toBe('https://verifier.example/v1')
    expect(baseUrl.safeParse('ftp://idp.example').success).toBe(false)
  })

  it.each(['my-idp', '1st', '', 'a b'])('has no METRIC_NAMESPACE %j', (metricNamespace) => {
    const { error } = zIdpConfig.shape.metricNamespace.safeParse(metricNamespace)
    expect(error?.issues).toMatchObject([{ code: 'invalid_format' }])
  })

  // @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.7
  it('names by OID_CREDENTIAL the one type that people can sign in with', async () => {
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
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    await system.present(linkOf(page))
    expect((await login.browser.get(page.url)).text).toContain('data-reason="wrong-type"')
  })
})

/** What a page has to say if this rule is the one that a credential breaks. */
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

const defects = allDefects.flatMap((defect) =>
  defect.rule === undefined ? [] : [{ defect, name: defect.name, rule: defect.rule }],
)

describe('the page of a failed login names the cause first', () => {
  it.each([english, spanish])('for every defect of a credential, in $language', async (texts) => {
    const system = await startLoginSystem()
    const { world } = system
    const pageAfter = async (credential: string) => {
      const browser = createHttpBrowser([], { 'accept-language': texts.language })
      const login = await system.beginLogin({ browser })
      const page = await browser.get(login.url)
      await system.present(linkOf(page), { credential })
      return browser.get(page.url)
    }
    const found: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const { defect, name, rule } of defects) {
      const holderDid = world.holder.did
      const failed = await pageAfter(issueCredential(world, { holderDid, now: world.now, defect }))
      const [, sentence] = /role="alert">([^<]*)</.exec(failed.text) ?? []
      const [, reason] = /data-reason="([^"]*)"/.exec(failed.text) ?? []
      found[name] = { rule: brokenRulesOf(failed)[0], reason, sentence }
      expected[name] = {
        rule,
        reason: reasonFor[rule],
        sentence: texts.reasons[reasonFor[rule] as FailureReason],
      }
    }
    expect(defects.length).toBeGreaterThan(50)
    expect(found).toEqual(expected)
  })

  it('has a sentence of its own for each reason, in both languages', () => {
    for (const { reasons } of [english, spanish]) {
      expect(new Set(Object.values(reasons)).size).toBe(Object.keys(reasons).length)
    }
    expect(Object.keys(spanish.reasons)).toEqual(Object.keys(english.reasons))
  })
})
