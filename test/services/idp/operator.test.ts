import { describe, expect, it } from 'vitest'
import { requireLoopback } from '#services/idp/admin/admin-links.ts'
import { callJson } from '#test/support/http.ts'
import { linkOf, sessionOf, startLoginSystem } from '#test/support/login-system.ts'
import { createStandingRuntime } from '#test/support/services.ts'

const operatorKey = 'an operator key of 32 characters or more'
const explanationsUrl = 'http://127.0.0.1:9/sessions/pre'

const startOperated = () =>
  startLoginSystem(
    (config) => ({ ...config, operatorKey, explanationsUrl }),
    createStandingRuntime(),
  )

const system = await startOperated()
const address = (path: string) => `${system.baseUrl}/idp/api/operator${path}`
const headers = { 'x-api-key': operatorKey }

/** A login whose credential was revoked. */
async function failLogin() {
  system.world.publishStatusList([7])
  const { login, page } = await system.openLogin()
  await system.present(linkOf(page))
  system.world.publishStatusList([])
  return { code: sessionOf(page), failed: await login.browser.get(page.url) }
}

describe('the explanation of a failed login', () => {
  it('is linked from its page, with the code of the session', async () => {
    const { code, failed } = await failLogin()
    expect(failed.text).toContain(`id="see-why" href="${explanationsUrl}/${code}"`)
  })

  it('is not linked without an address, or if nothing was presented', async () => {
    const plain = await startLoginSystem()
    plain.world.publishStatusList([7])
    const { login, page } = await plain.openLogin()
    await plain.present(linkOf(page))
    const { text } = await login.browser.get(page.url)
    expect(text).toContain('data-reason="revoked"')
    expect(text).not.toContain('see-why')

    const unanswered = await system.openLogin()
    system.runtime.advance(3600 - 1)
    const expired = await unanswered.login.browser.get(unanswered.page.url)
    expect(expired.text).toContain('data-state="expired"')
    expect(expired.text).not.toContain('see-why')
  })

  it('has person, organization, causes and each rule, for the operator only', async () => {
    const { code } = await failLogin()
    const { status, body } = await callJson(address(`/sessions/${code}`), { headers })
    expect(status).toBe(200)
    expect(body.session).toMatchObject({
      code,
      status: 'FAILED',
      client: 'The <b>relying</b> party',
      person: expect.stringMatching(/\w+ \w+/),
      organization: expect.stringMatching(/\w+/),
      failures: { broken: [{ rule: 'credential.status', reason: expect.any(String) }] },
    })
    expect(body.session).not.toHaveProperty('ending')
    expect(body.explanation.checked.length).toBeGreaterThan(40)

    for (const path of ['/sessions', `/sessions/${code}`]) {
      const wrong = { 'x-api-key': 'a wrong key of 32 characters or more' }
      expect((await callJson(address(path))).status).toBe(401)
      expect((await callJson(address(path), { headers: wrong })).status).toBe(401)
    }
    for (const unknown of ['x', 'a%00b']) {
      const answer = await callJson(address(`/sessions/${unknown}`), { headers })
      expect(answer.status).toBe(404)
    }
  })

  it('says how a login ended without a verdict', async () => {
    const describe = async (code: string) =>
      (await callJson(address(`/sessions/${code}`), { headers })).body.session
    const cancelled = await system.openLogin()
    await cancelled.login.browser.submit(`${cancelled.page.url}/cancel`, {})
    const expired = sessionOf((await system.openLogin()).page)
    system.runtime.advance(3600 - 1)
    const ended = { status: 'FAILED', failures: { broken: [], unavailable: [] } }
    expect(await describe(sessionOf(cancelled.page))).toMatchObject({
      ...ended,
      ending: 'cancelled',
    })
    expect(await describe(expired)).toMatchObject({ ...ended, ending: 'expired' })
  })

  it('is in the list of its status, newest first', async () => {
    system.runtime.advance(1)
    const { code } = await failLogin()
    const { body } = await callJson(address('/sessions?status=FAILED'), { headers })
    expect(body.sessions[0]).toMatchObject({ code, person: expect.stringMatching(/\w+ \w+/) })
    const accepted = await callJson(address('/sessions?status=SUCCESS'), { headers })
    expect(accepted.body.sessions.map((each: { code: string }) => each.code)).not.toContain(code)
  })
})

describe('a one-time link to the admin panel', () => {
  const createLink = async (): Promise<string> => {
    const answer = await callJson(address('/admin-links'), { method: 'POST', headers })
    expect(answer.status).toBe(201)
    return answer.body.url
  }
  const open = (url: string) => fetch(url, { redirect: 'manual' })

  it('starts a session once', async () => {
    const url = await createLink()
    const opened = await open(url)
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/admin/'])
    const cookie = opened.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/admin$/)
    const panel = await fetch(`${system.baseUrl}/admin/`, {
      headers: { cookie: cookie.split(';')[0] ?? '' },
    })
    expect(await panel.text()).toContain('Log out <span>admin</span>')

    const again = await open(url)
    expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null])
    expect(await again.text()).toContain('used_link')
  })

  it('expires after a minute, also if the clock is set back', async () => {
    const late = await createLink()
    system.runtime.advance(60)
    expect((await open(late)).status).toBe(401)
    const early = await createLink()
    system.runtime.advance(-10)
    expect((await open(early)).status).toBe(401)
    const inTime = await createLink()
    system.runtime.advance(59)
    expect((await open(inTime)).status).toBe(303)
  })

  it('needs the operator’s key and an administrator', async () => {
    const wrong = { 'x-api-key': 'a wrong key of 32 characters or more' }
    for (const sent of [{}, wrong]) {
      const answer = await callJson(address('/admin-links'), { method: 'POST', headers: sent })
      expect(answer.status).toBe(401)
    }
    const closed = await startLoginSystem()
    const path = '/idp/api/operator/admin-links'
    const answer = await callJson(`${closed.baseUrl}${path}`, { method: 'POST', headers })
    expect(answer.status).toBe(401)
    const ownerless = await startLoginSystem(({ admin: _admin, ...config }) => ({
      ...config,
      operatorKey,
    }))
    const refused = await callJson(`${ownerless.baseUrl}${path}`, { method: 'POST', headers })
    expect([refused.status, refused.body.error]).toEqual([409, 'no_administrator'])
  })

  it('has a code that nothing else has', async () => {
    for (const code of ['', 'x', 'x'.repeat(500), '%00']) {
      expect((await open(`${system.baseUrl}/admin/open?code=${code}`)).status).toBe(401)
    }
    const url = new URL(await createLink())
    expect(url.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
  })
})

const from = (remoteAddress: string | undefined) => () =>
  requireLoopback({ socket: { remoteAddress } } as Parameters<typeof requireLoopback>[0])

it('links to the admin panel work on the same machine only', () => {
  for (const own of ['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1']) {
    expect(from(own)).not.toThrow()
  }
  for (const other of [
    '10.0.0.7',
    '192.168.1.127',
    '::ffff:10.0.0.7',
    '128.0.0.1',
    '',
    undefined,
  ]) {
    expect(from(other)).toThrow(/machine on which the IDP runs/)
  }
})
