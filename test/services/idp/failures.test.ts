import { describe, expect, it } from 'vitest'
import { loadConfig } from '#kit/load-config.ts'
import { createLog } from '#kit/log.ts'
import { zIdpConfig } from '#services/idp/config.ts'
import { createTestRuntime } from '#test/support/create-test-runtime.ts'
import { linkOf, sessionOf, startLoginSystem, stateOf } from '#test/support/start-login-system.ts'

function startWithLog() {
  const lines: { service?: string; level: number; unavailable?: string[]; code?: string }[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  return { lines, runtime: createTestRuntime(createLog({ level: 'info', destination })) }
}

const readHealth = async (baseUrl: string) => {
  const response = await fetch(`${baseUrl}/health`)
  return [response.status, await response.json()]
}

const well = [200, { status: 'ok', db: 'connected' }]

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
    expect(await readHealth(system.baseUrl)).toEqual([
      503,
      { status: 'error', db: 'connected', unavailable: [service] },
    ])
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
    expect(await readHealth(system.baseUrl)).toEqual([
      503,
      { status: 'error', db: 'connected', unavailable: ['verifier'] },
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

describe('the configuration', () => {
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
