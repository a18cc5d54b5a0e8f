import { describe, expect, it } from 'vitest'
import {
  administrator,
  createPanel,
  type IdpInput,
  openPanel,
  startLoginSystem,
} from '#test/support/login-system.ts'
import { fetchFrom } from '#test/support/servers.ts'
import { createStandingRuntime } from '#test/support/services.ts'
import { dumpDatabase, temporaryDatabase } from '#test/support/temporary-folder.ts'

/** The password itself is configured, and the IDP hashes it. */
const withPassword = (config: IdpInput): IdpInput => ({ ...config, admin: administrator })
const wrong = { ...administrator, password: 'not the password' }

async function expectLoggedOut({ baseUrl }: { readonly baseUrl: string }, cookie: string) {
  const answer = await fetch(`${baseUrl}/admin/`, { headers: { cookie }, redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/login'])
}

const system = await startLoginSystem()

// @row 1.endpoints/credential-idp.9 1.authentication.6
describe('the login of the admin panel', () => {
  it('is required by every page and accepts the configured account', async () => {
    const system = await startLoginSystem()
    const panel = createPanel(system)
    const asked = await panel.get('/admin/')
    expect(new URL(asked.url).pathname).toBe('/admin/login')
    const page = await panel.logIn()
    expect([page.status, new URL(page.url).pathname]).toEqual([200, '/admin/'])
    expect((await panel.get('/admin')).text).toContain('Log out')
  })

  it('ends the previous session of the browser', async () => {
    const panel = await openPanel(system)
    const { cookie } = panel
    await panel.logIn()
    expect(panel.cookie).not.toBe(cookie)
    await expectLoggedOut(system, cookie)
  })

  it('answers a wrong password and an unknown name in the same way', async () => {
    const system = await startLoginSystem()
    const pages = []
    for (const given of [wrong, { username: 'nobody', password: administrator.password }]) {
      const panel = createPanel(system)
      const page = await panel.logIn(given)
      pages.push([page.status, page.text.replaceAll(panel.csrfToken, '')])
      expect(new URL((await panel.get('/admin/')).url).pathname).toBe('/admin/login')
    }
    expect(pages[0]).toEqual(pages[1])
    expect(pages[0]?.[0]).toBe(401)
  })

  it('does the same work for known and unknown names', async () => {
    const system = await startLoginSystem(withPassword)
    const panel = createPanel(system)
    await panel.logIn()
    const effortFor = async (username: string) => {
      system.runtime.advance(1000)
      const before = process.cpuUsage()
      await createPanel(system).logIn({ ...wrong, username })
      const { user, system: kernel } = process.cpuUsage(before)
      return user + kernel
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let round = 0; round < 3; round++) {
      known.push(await effortFor(administrator.username))
      unknown.push(await effortFor(`unknown ${round}`))
    }
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2)
  })

  it('sets a cookie for this path only, hidden from scripts and other sites', async () => {
    const { headers } = await fetch(`${system.baseUrl}/admin/login`)
    expect(headers.getSetCookie()[0]).toMatch(
      /^[0-9a-f]{8}_admin=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/admin$/,
    )
  })

  it('binds the cookie to the host if the public address has TLS', async () => {
    const system = await startLoginSystem((config) => ({
      ...config,
      baseUrl: 'https://idp.example',
    }))
    const { headers } = await fetch(`${system.baseUrl}/admin/login`)
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-[0-9a-f]{8}_admin=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
    )
  })

  it('creates a new session id (session fixation)', async () => {
    const panel = createPanel(system)
    await panel.get('/admin/login')
    const before = panel.cookie
    await panel.logIn()
    expect(panel.cookie).not.toBe(before)
    await expectLoggedOut(system, before)
  })

  it('ends with the logout for every browser with the cookie', async () => {
    const panel = await openPanel(system)
    const { cookie } = panel
    await panel.submit('/admin/logout')
    expect(panel.cookie).not.toBe(cookie)
    await expectLoggedOut(system, cookie)
  })

  it('expires when idle, and always after a longer time', async () => {
    const system = await startLoginSystem(
      (config) => ({ ...config, adminSessionIdle: 600, adminSessionLifetime: 1500 }),
      createStandingRuntime(),
    )
    const idle = await openPanel(system)
    const busy = await openPanel(system)
    const isIn = async (panel: typeof idle) =>
      new URL((await panel.get('/admin/keys')).url).pathname === '/admin/keys'
    system.runtime.advance(599)
    expect(await isIn(busy)).toBe(true)
    system.runtime.advance(1)
    expect(await isIn(idle)).toBe(false)
    system.runtime.advance(590)
    expect(await isIn(busy)).toBe(true)
    // A form of a page that is still open no longer has any effect.
    system.runtime.advance(310)
    const late = await busy.submit('/admin/mappers/email', { mappers: '', intent: 'save' })
    expect(new URL(late.url).pathname).toBe('/admin/login')
    const page = await (await openPanel(system)).get('/admin/mappers/email')
    expect(page.text).toContain('email = credentialSubject')
  })

  it('survives a restart', async () => {
    const system = await startLoginSystem((config) => ({
      ...config,
      databaseUrl: temporaryDatabase(),
    }))
    const panel = await openPanel(system)
    await system.restartIdp()
    expect(new URL((await panel.get('/admin/keys')).url).pathname).toBe('/admin/keys')
  })
})

describe('the lock-out', () => {
  it('rejects the right password too, and unknown names in the same way', async () => {
    const system = await startLoginSystem(undefined, createStandingRuntime())
    for (const username of ['nobody', administrator.username]) {
      for (let attempt = 0; attempt < 3; attempt++) {
        const page = await createPanel(system).logIn({ ...wrong, username })
        expect(page.status).toBe(401)
      }
      const locked = await createPanel(system).logIn({ ...administrator, username })
      expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, '1'])
    }
    system.runtime.advance(1)
    expect((await createPanel(system).logIn()).status).toBe(200)
    // The success has reset the count.
    expect((await createPanel(system).logIn(wrong)).status).toBe(401)
    expect((await createPanel(system).logIn()).status).toBe(200)
  })

  it('applies only to the address that guesses', async () => {
    const system = await startLoginSystem(undefined, createStandingRuntime())
    const stranger = createPanel(system, fetchFrom('127.0.0.2'))
    const statuses: number[] = []
    for (let guess = 0; guess < 50; guess++) statuses.push((await stranger.logIn(wrong)).status)
    expect(statuses).toEqual([401, 401, 401, ...Array(47).fill(429)])
    expect((await createPanel(system).logIn()).status).toBe(200)
    expect((await stranger.logIn()).status).toBe(429)
  })
})

describe('the account', () => {
  it('is stored as a hash, and so are sessions', async () => {
    const databaseUrl = temporaryDatabase()
    const system = await startLoginSystem((config) => ({
      ...withPassword(config),
      databaseUrl,
    }))
    const panel = await openPanel(system)
    const session = panel.cookie.split('=')[1] ?? ''
    expect(session).toHaveLength(43)
    const rows = dumpDatabase(databaseUrl)
    expect(rows).toMatch(/scrypt\$\d+\$\d+\$\d+\$/)
    expect(rows).not.toContain(administrator.password)
    expect(rows).not.toContain(session)
  })

  it('gets a new password, which ends other sessions and survives a restart', async () => {
    const system = await startLoginSystem((config) => ({
      ...config,
      databaseUrl: temporaryDatabase(),
    }))
    const panel = await openPanel(system)
    const other = await openPanel(system)
    const password = 'another, longer password'
    const change = (current: string, repeated = password) =>
      panel.submit('/admin/account', {
        current_password: current,
        password,
        repeated_password: repeated,
      })
    expect((await change('not it')).status).toBe(401)
    expect((await change(administrator.password, 'different')).status).toBe(422)
    await panel.get('/admin/account')
    const done = await change(administrator.password)
    expect([done.status, new URL(done.url).pathname]).toEqual([200, '/admin/account'])
    expect(new URL((await other.get('/admin/')).url).pathname).toBe('/admin/login')
    await system.restartIdp()
    expect((await createPanel(system).logIn()).status).toBe(401)
    expect((await createPanel(system).logIn({ ...administrator, password })).status).toBe(200)
  })

  it('follows a changed configuration', async () => {
    let admin = administrator
    const databaseUrl = temporaryDatabase()
    const configure = () => startLoginSystem((config) => ({ ...config, databaseUrl, admin }))
    const first = await configure()
    const panel = await openPanel(first)
    admin = { username: 'root', password: 'the password of root' }
    const second = await configure()
    expect((await createPanel(second).logIn(admin)).status).toBe(200)
    expect((await createPanel(second).logIn(administrator)).status).toBe(401)
    expect(new URL((await panel.get('/admin/')).url).pathname).toBe('/admin/login')
  })

  it('does not exist without configuration', async () => {
    const system = await startLoginSystem(({ admin: _, ...config }) => config)
    expect((await createPanel(system).logIn()).status).toBe(401)
    expect((await createPanel(system).logIn({ username: '', password: '' })).status).toBe(401)
  })
})
