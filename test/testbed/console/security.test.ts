import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { createConsole } from '#testbed/console/create-console.ts'
import { createConsoleSessions } from '#testbed/control/authentication.ts'
import { createSnapshotStore } from '#testbed/control/create-snapshot-store.ts'
import { installMovableClock } from '#testbed/process/clock.ts'
import { createTraceBuffer } from '#testbed/process/traces.ts'

interface Endpoint {
  readonly method: string
  /** With values for its parameters. */
  readonly path: string
}

const shared = shareTestbed()
let cookie: string
let key: string
beforeAll(async () => {
  const opened = await open(shared.testbed.createConsoleLink())
  cookie = opened.cookie.split(';')[0] ?? ''
  key = opened.location.split('#key=')[1] ?? ''
})

async function open(link: string) {
  const { status, headers } = await fetch(link, { redirect: 'manual' })
  return {
    status,
    cookie: headers.get('set-cookie') ?? '',
    location: headers.get('location') ?? '',
  }
}

/** Every endpoint of the console, read from its app. */
function listEndpoints(): Endpoint[] {
  const clock = installMovableClock()
  const app = createConsole({
    environments: [],
    addresses: [],
    clock,
    traces: createTraceBuffer(),
    snapshots: createSnapshotStore({ environments: [], states: [], clock }),
    runtime: createTestRuntime(),
    token: 'unused',
    sessions: createConsoleSessions('http://127.0.0.1:9'),
    consoleUrl: 'http://127.0.0.1:9',
    mail: { url: 'http://127.0.0.1:9', localUrl: 'http://127.0.0.1:9' },
    stateFolder: undefined,
    startedAt: clock.milliseconds(),
    testbedFile: () => shared.file,
  }).app
  clock.uninstall()
  // The handlers of the routes that return 405 to all other methods have no method.
  return app.router.stack.flatMap(({ route }) => {
    const method: string | undefined = route?.stack[0]?.method
    return route && method ? [{ method: method.toUpperCase(), path: fill(route.path) }] : []
  })
}

const fill = (path: string) => path.replaceAll(':env', 'pre').replaceAll(/:\w+/g, 'x')

const endpoints = listEndpoints()

/** Sends any Host header and path, unlike fetch; resolves with the response's head. */
async function call(
  { method, path }: Endpoint,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  const request = send(shared.file.consoleUrl, { method, path, headers })
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

async function statusOf(endpoint: Endpoint, headers: Record<string, string>) {
  const response = await call(endpoint, headers)
  response.destroy()
  return [endpoint.method, endpoint.path, response.statusCode]
}

describe('the one-time link', () => {
  it('sets a cookie for this host that scripts and other sites cannot use', async () => {
    const { status, cookie } = await open(shared.testbed.createConsoleLink())
    expect(status).toBe(303)
    expect(cookie).toMatch(/^lear-testbed-console=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/)
  })

  it('opens the console once, also if it is used several times simultaneously', async () => {
    const link = shared.testbed.createConsoleLink()
    const answers = await Promise.all(Array.from({ length: 5 }, () => open(link)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 401, 401, 401, 401])
    expect(answers.filter(({ cookie }) => cookie !== '')).toHaveLength(1)
  })

  it('leads to a page of the console only', async () => {
    const origin = new URL(shared.file.consoleUrl).origin
    const foreign = [
      '//attacker.example',
      '/\\attacker.example',
      '\\\\attacker.example',
      'https://attacker.example',
      'javascript:alert(1)',
      '/\t/attacker.example',
      '/\n/attacker.example',
      '/x\r\nset-cookie: a=b',
      '/@attacker.example:80//',
      '',
    ]
    for (const to of foreign) {
      const link = `${shared.testbed.createConsoleLink()}&to=${encodeURIComponent(to)}`
      const { status, location } = await open(link)
      expect([to, status, location]).toEqual([to, 303, expect.stringMatching(/^\/#key=/)])
    }
    for (const to of ['/tour', '/docs', '/exchanges?env=pre', '/.//attacker.example']) {
      const link = `${shared.testbed.createConsoleLink()}&to=${encodeURIComponent(to)}`
      const { location } = await open(link)
      expect([to, new URL(location, origin).origin]).toEqual([to, origin])
    }
    // These have no script that keeps the key, so the home page does.
    for (const to of ['/docs/profile', '/runs/x1/report', '/runs/x1/report?a=b']) {
      const link = `${shared.testbed.createConsoleLink()}&to=${encodeURIComponent(to)}`
      const { location } = await open(link)
      expect([to, location.split('&to=')[1]]).toEqual([to, encodeURIComponent(to)])
    }
  })
})

describe('every endpoint of the console', () => {
  it('is listed here', () => {
    const paths = endpoints.map(({ method, path }) => `${method} ${path}`)
    expect(paths).toEqual(
      expect.arrayContaining([
        'GET /',
        'GET /sessions/pre/x',
        'POST /console/admin-links/pre',
        'GET /control/traces/stream',
        'DELETE /console/sign-ins/pre/x',
      ]),
    )
    expect(endpoints.length).toBeGreaterThan(60)
  })

  it('rejects the name of another host and the origin of another page', async () => {
    const own = { cookie, authorization: `Bearer ${shared.file.control.token}` }
    for (const endpoint of endpoints) {
      const refused = [endpoint.method, endpoint.path, 403]
      expect(await statusOf(endpoint, { ...own, host: 'attacker.example' })).toEqual(refused)
      const foreign = { ...own, origin: 'http://attacker.example' }
      expect(await statusOf(endpoint, foreign)).toEqual(refused)
      expect(await statusOf(endpoint, { ...own, origin: 'null' })).toEqual(refused)
    }
  })

  it('needs the cookie, except for health, metrics, assets, and addresses that clients call back', async () => {
    const open = new Set(['/health', '/metrics', '/control/docs', '/control/docs/openapi.json'])
    const assets = /^\/(control\/docs|callback|assets)\//
    for (const endpoint of endpoints) {
      if (open.has(endpoint.path) || assets.test(endpoint.path)) continue
      const refused = [endpoint.method, endpoint.path, 401]
      expect(await statusOf(endpoint, {})).toEqual(refused)
      expect(await statusOf(endpoint, { cookie: 'lear-testbed-console=x' })).toEqual(refused)
    }
  })

  it('rejects a change by the cookie without the origin of the console', async () => {
    for (const endpoint of endpoints.filter(({ method }) => method !== 'GET')) {
      const refused = [endpoint.method, endpoint.path, 401]
      expect(await statusOf(endpoint, { cookie })).toEqual(refused)
    }
  })
})

describe('a session of which only the cookie is known', () => {
  // Browsers send it to every server on the same host: they do not separate cookies by port.
  const post = (path: string, headers: Record<string, string>) =>
    statusOf({ method: 'POST', path }, { cookie, origin: shared.file.consoleUrl, ...headers })

  it.each(['/console/target-runs', '/console/preflights'])('runs no command: %s', async (path) => {
    expect(await post(path, {})).toEqual(['POST', path, 403])
    expect(await post(path, { 'x-console-key': 'x' })).toEqual(['POST', path, 403])
    const other = (await open(shared.testbed.createConsoleLink())).location.split('#key=')[1] ?? ''
    expect(await post(path, { 'x-console-key': other })).toEqual(['POST', path, 403])
    // The key is right, so that only the missing body is rejected.
    expect(await post(path, { 'x-console-key': key })).toEqual(['POST', path, 400])
  })

  it('creates no link, which would return the key', async () => {
    const path = '/control/console-links'
    expect(await post(path, { 'x-console-key': key })).toEqual(['POST', path, 401])
  })
})

describe.each(['/portal/sign-in?env=pre', '/relying-party/login'])('a login at %s', (path) => {
  const start = async (site: string) => {
    const headers = { cookie, accept: 'text/html', 'sec-fetch-site': site }
    const response = await call({ method: 'GET', path }, headers)
    response.destroy()
    return [site, response.statusCode, new URL(response.headers.location ?? 'none:').pathname]
  }

  it('is started by a page of the console, or by a person', async () => {
    for (const site of ['same-origin', 'none']) {
      expect(await start(site)).toEqual([site, 303, expect.stringMatching(/\/auth/)])
    }
  })

  it('is not started by a page of another origin, such as another port', async () => {
    for (const site of ['same-site', 'cross-site']) {
      expect(await start(site)).toEqual([site, 403, ''])
    }
  })
})

describe('an address with several slashes', () => {
  const visit = async (path: string) => {
    const response = await call({ method: 'GET', path }, { cookie, accept: 'text/html' })
    response.destroy()
    return [path, response.statusCode, response.headers.location]
  }

  it.each([
    ['//', 200],
    ['//%', 404],
    ['//:99999/', 404],
    ['//attacker.example/', 404],
    ['/.//attacker.example/', 404],
    ['/\\attacker.example/', 404],
  ])('is a page of the console: %s', async (path, status) => {
    expect(await visit(path)).toEqual([path, status, undefined])
  })

  it.each([
    ['//?lang=es', '/'],
    ['//%?lang=en', '/%'],
    ['//:99999/?lang=en', '/:99999/'],
    ['/.//attacker.example/?theme=dark', '/attacker.example/'],
    ['/\\attacker.example/?lang=es', '/attacker.example/'],
    ['//x//attacker.example/?lang=es&env=pre', '/x//attacker.example/?env=pre'],
  ])('keeps a choice of language or theme without leaving the console: %s', async (path, to) => {
    expect(await visit(path)).toEqual([path, 303, to])
  })
})

describe('the pages', () => {
  const policyOf = ({ headers }: IncomingMessage) => String(headers['content-security-policy'])

  it('of the console have no inline script or style', async () => {
    const seen: string[] = []
    for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
      const response = await call(endpoint, { cookie })
      const isPage = /html/.test(response.headers['content-type'] ?? '')
      if (!isPage || endpoint.path === '/control/docs') {
        response.destroy()
        continue
      }
      const text = (await response.toArray()).join('')
      seen.push(endpoint.path)
      const policy = policyOf(response)
      expect([endpoint.path, policy]).toEqual([
        endpoint.path,
        expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'.*base-uri 'none'/),
      ])
      expect([endpoint.path, policy]).not.toEqual([
        endpoint.path,
        expect.stringMatching(/unsafe|https?:|\*|script-src [^;]*data:/),
      ])
      expect([endpoint.path, text]).not.toEqual([
        endpoint.path,
        expect.stringMatching(/<script(?! src="\/assets\/)|<style|<[^>]* (style|on\w+)=/),
      ])
    }
    expect(seen).toEqual(expect.arrayContaining(['/', '/sessions', '/exchanges', '/wallets']))
  })

  it('of Swagger are the only exception for styles, and lead back to the console', async () => {
    const pages = shared.testbed.addresses.flatMap(({ docsUrl }) => docsUrl ?? [])
    expect(pages.length).toBeGreaterThan(9)
    for (const page of pages) {
      const response = await fetch(page)
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("script-src 'self';")
      expect(await response.text()).toContain(
        `<a class="console" href="${shared.file.consoleUrl}/">`,
      )
    }
    const { pre, file } = shared
    const others = [`${pre.idpBaseUrl}/admin/login`, `${file.mail.apiUrl}/`]
    for (const address of others) {
      const response = await fetch(address)
      expect(response.headers.get('content-security-policy')).toContain("style-src 'self'")
      expect(response.headers.get('content-security-policy')).not.toContain('unsafe')
    }
    const browser = createHttpBrowser()
    expect((await browser.get(`${file.mail.apiUrl}/`)).text).toContain(
      `<a class="console" href="${file.consoleUrl}/">`,
    )
  })
})
