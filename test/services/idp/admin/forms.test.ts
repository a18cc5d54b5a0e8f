import { describe, expect, it } from 'vitest'
import { createLog } from '#kit/log.ts'
import type { TraceSink } from '#kit/traces.ts'
import { adminRoutes } from '#services/idp/admin/routes.ts'
import {
  administrator,
  createPanel,
  type LoginSystem,
  openPanel,
  type Panel,
  startLoginSystem,
} from '#test/support/login-system.ts'
import { createTestRuntime } from '#test/support/services.ts'

/** The URL of a route, with parameters that exist. */
const addressOf = (path: string) =>
  path
    .replace('/mappers/:scope', '/mappers/email')
    .replace('/clients/:id', '/clients/relying-party')
    .replace('/sessions/:code', '/sessions/unknown')

const forms = adminRoutes.filter(({ method }) => method !== 'get').map(({ path }) => path)
const pages = adminRoutes.filter(({ method }) => method === 'get').map(({ path }) => path)

/** The fields with which each form would change something. */
const fields: Readonly<Record<string, string>> = {
  ...administrator,
  client_id: 'planted',
  name: 'Planted',
  redirect_uris: 'https://evil.example/callback',
  authentication: 'either',
  mappers: 'planted = a.b',
  intent: 'save',
  current_password: administrator.password,
  repeated_password: administrator.password,
}

/** All state that the forms of the panel can change, as its pages show it. */
async function stateOf(panel: Panel) {
  const shown = ['clients', 'clients/relying-party', 'mappers/email', 'keys', 'account']
  const texts = await Promise.all(shown.map((path) => panel.get(`/admin/${path}`)))
  return texts.map(({ text }) => text)
}

/** Sends every form with the same mistake and returns the responses by path. */
async function sendAll(
  system: LoginSystem,
  wrong: { form?: Record<string, string>; headers?: Record<string, string> },
) {
  const panel = await openPanel(system)
  await panel.get('/admin/keys')
  const statuses: Record<string, number> = {}
  const before = await stateOf(panel)
  for (const path of forms) {
    const { status } = await panel.submit(
      addressOf(path),
      { ...fields, ...wrong.form },
      wrong.headers ?? { origin: system.baseUrl },
    )
    statuses[path] = status
  }
  // The session is still valid, and the state is unchanged.
  expect(await stateOf(panel)).toEqual(before)
  return statuses
}

const refusedEverywhere = Object.fromEntries(forms.map((path) => [path, 403]))

const system = await startLoginSystem()

describe('every form of the panel', () => {
  it('is covered here', () => {
    expect(forms.length).toBeGreaterThanOrEqual(10)
  })

  it('is rejected without a token', async () => {
    expect(await sendAll(system, { form: { csrf_token: '' } })).toEqual(refusedEverywhere)
  })

  it('is rejected with the token of another session', async () => {
    const other = await openPanel(system)
    await other.get('/admin/keys')
    expect(await sendAll(system, { form: { csrf_token: other.csrfToken } })).toEqual(
      refusedEverywhere,
    )
  })

  it('is rejected with the token from before the login', async () => {
    const panel = createPanel(system)
    await panel.get('/admin/login')
    const before = panel.csrfToken
    await panel.logIn()
    await panel.get('/admin/keys')
    expect(panel.csrfToken).not.toBe(before)
    expect((await panel.submit('/admin/logout', { csrf_token: before })).status).toBe(403)
  })

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another port of this host', { origin: 'http://127.0.0.1:1' }],
    ['a page that hides its origin', { origin: 'null' }],
    [
      'another site with our referer',
      { origin: 'https://evil.example', referer: 'http://127.0.0.1/admin/' },
    ],
  ])('is rejected from %s, even with the right token', async (_name, headers) => {
    expect(await sendAll(system, { headers: headers as Record<string, string> })).toEqual(
      refusedEverywhere,
    )
  })

  it('is accepted from a program, which sends no origin', async () => {
    const panel = createPanel(system)
    await panel.get('/admin/login')
    const { url, status } = await panel.submit('/admin/login', administrator, {})
    expect([url, status]).toEqual([`${system.baseUrl}/admin/`, 200])
  })

  it('is rejected with any other content type', async () => {
    const { baseUrl } = await startLoginSystem()
    for (const path of forms) {
      const response = await fetch(`${baseUrl}${addressOf(path)}`, {
        method: 'POST',
        headers: { origin: baseUrl, 'content-type': 'text/plain' },
        body: 'csrf_token=x',
      })
      expect([path, response.status]).toEqual([path, 415])
    }
  })

  it('redirects to the login without a session', async () => {
    for (const path of forms.filter((each) => each !== '/admin/login')) {
      const response = await fetch(`${system.baseUrl}${addressOf(path)}`, {
        method: 'POST',
        headers: { origin: system.baseUrl },
        body: new URLSearchParams(fields),
        redirect: 'manual',
      })
      expect([path, response.headers.get('location')]).toEqual([path, '/admin/login'])
    }
    const panel = await openPanel(system)
    expect((await panel.get('/admin/clients')).text).not.toContain('planted')
  })

  it('survives fields that are repeated, missing or huge', async () => {
    const panel = await openPanel(system)
    await panel.get('/admin/keys')
    for (const path of forms.filter((each) => !/logout|login|delete|secret/.test(each))) {
      const address = `${system.baseUrl}${addressOf(path)}`
      const token = `csrf_token=${panel.csrfToken}`
      const bodies = [token, `${token}&name=a&name=b&mappers=a&mappers=b&kid=a&kid=b`]
      for (const body of [...bodies, `${token}&mappers=${'x'.repeat(70_000)}`]) {
        const response = await fetch(address, {
          method: 'POST',
          headers: {
            origin: system.baseUrl,
            cookie: panel.cookie,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body,
          redirect: 'manual',
        })
        expect(response.status).toBeLessThan(500)
        expect(response.status).not.toBe(403)
      }
    }
  })
})

describe('every page of the panel', () => {
  it('cannot be framed, cached or extended by scripts', async () => {
    const panel = await openPanel(system)
    for (const path of [...pages, '/admin/clients/unknown']) {
      const { headers, text } = await panel.get(addressOf(path))
      const policy = headers.get('content-security-policy') ?? ''
      expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY'])
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("form-action 'self'")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      // no-referrer would make browsers hide the origin of the panel's forms.
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(text).not.toMatch(/<script(?! src="\/accounts\/assets\/)|<style| style=| on\w+=/)
      const addresses = [...text.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, url]) => url)
      expect(addresses.filter((url) => !/^([/#]|data:,)/.test(url ?? ''))).toEqual([])
    }
  })

  it('redirects to the login without a session, regardless of the cookie', async () => {
    const panel = await openPanel(system)
    const name = panel.cookie.split('=')[0]
    const cookies = ['', `${name}=`, `${name}=${'A'.repeat(43)}`, `${name}=%00; ${name}=x`]
    for (const path of pages.filter((each) => each !== '/admin/login')) {
      for (const cookie of cookies) {
        const response = await fetch(`${system.baseUrl}${addressOf(path)}`, {
          headers: { cookie },
          redirect: 'manual',
        })
        expect([path, response.headers.get('location')]).toEqual([path, '/admin/login'])
        expect(await response.text()).toBe('')
      }
    }
  })

  it('returns 503 without the database', async () => {
    const system = await startLoginSystem()
    const panel = await openPanel(system)
    system.runtime.activeFaults.add('database-down')
    const page = await panel.get('/admin/clients')
    expect([page.status, page.text.includes('database_unavailable')]).toEqual([503, true])
  })
})

it('logs and traces contain no secret', async () => {
  const written: string[] = []
  const destination = { write: (line: string) => void written.push(line) }
  const traces: TraceSink = {
    enabled: true,
    record: (describe) => written.push(JSON.stringify(describe())),
  }
  const log = createLog({ level: 'trace', destination })
  const runtime = { ...createTestRuntime({ log }), traces }
  const system = await startLoginSystem(undefined, runtime)
  const panel = createPanel(system)
  const wrong = 'a password that is wrong'
  await panel.logIn({ ...administrator, password: wrong })
  await panel.logIn()
  const cookie = panel.cookie.split('=')[1] ?? ''
  const token = panel.csrfToken
  await panel.get('/admin/clients/new')
  const { text } = await panel.submit('/admin/clients', {
    client_id: 'shop',
    name: 'The shop',
    redirect_uris: 'https://shop.example/callback',
    authentication: 'either',
  })
  const secret = /id="client-secret">([^<]*)</.exec(text)?.[1] ?? ''
  const password = 'another, longer password'
  const form = { current_password: administrator.password, password, repeated_password: password }
  const changed = await panel.submit('/admin/account', form)
  expect(changed.status).toBe(200)
  const secrets = [administrator.password, wrong, cookie, token, secret, password]
  expect(secrets.filter((each) => each.length < 12)).toEqual([])
  const all = written.join('\n')
  // The log contains each action with its administrator and its object.
  for (const shown of [
    'a login to the admin panel failed',
    'a client was created',
    '/admin/account',
  ]) {
    expect(all).toContain(shown)
  }
  expect(secrets.filter((each) => all.includes(each))).toEqual([])
})
