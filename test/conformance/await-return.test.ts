import { describe, expect, it } from 'vitest'
import { awaitReturn } from '#conformance/plans/idp/await-return.ts'
import { zIdpTarget } from '#conformance/plans/idp/z-target.ts'
import type { HttpPage } from '#scenarios/harness/http-browser.ts'

const callback = 'http://127.0.0.1:9/callback'
const authorization = 'https://idp.example/accounts/authorize?client_id=kit'
const page = 'https://idp.example/login'
const { signal } = new AbortController()

/** A login in a browser for which one address leads back, from the given visit on. */
function loginThatEndsAt(end: string, visit = 1) {
  const visited: string[] = []
  const pageAt = (url: string, status: number, text = ''): HttpPage => ({
    url,
    status,
    headers: new Headers(),
    text,
    visited: [url],
  })
  const get = async (url: string) => {
    visited.push(url)
    const isBack = url === end && visited.filter((each) => each === url).length >= visit
    return isBack ? pageAt(`${callback}?code=c`, 0) : pageAt(url, 200)
  }
  const browser = { get, submit: () => get(''), cookiesFor: () => '' }
  const shown = pageAt(page, 200, '<main data-session="s3ss-10n">')
  return {
    visited,
    login: { browser, url: authorization, page: shown, link: '', state: '', nonce: '' },
  }
}

const targetWith = (members: object) => ({
  signal,
  hasFailed: async () => false,
  target: zIdpTarget.parse({
    plan: 'idp',
    name: 'Somebody else’s',
    issuer: 'https://idp.example/',
    client: { clientId: 'kit', clientSecret: 'secret', redirectUri: callback },
    ...members,
  }),
})

describe('the browser of a login that a wallet has answered', () => {
  it('loads the page again until it leads back', async () => {
    const { login, visited } = loginThatEndsAt(page, 3)
    const back = await awaitReturn(targetWith({}), login)
    expect(back?.searchParams.get('code')).toBe('c')
    expect(visited).toEqual([page, page, page])
  })

  it('goes where the target says, with the session', async () => {
    const continueAt = 'https://idp.example/continue?session={session}'
    const { login } = loginThatEndsAt('https://idp.example/continue?session=s3ss-10n')
    expect(await awaitReturn(targetWith({ continueAt }), login)).toBeDefined()
  })

  it.each([
    ['where the wallet was told to go on', 'https://idp.example/done?response_code=1'],
    ['with its authorization request once more', authorization],
  ])('goes on %s, where its page leads nowhere', async (_where, end) => {
    const { login } = loginThatEndsAt(end)
    const target = targetWith({ patience: 0.01 })
    const redirectUri = 'https://idp.example/done?response_code=1'
    expect((await awaitReturn(target, login, redirectUri))?.href).toBe(`${callback}?code=c`)
  })

  it('is waited for no longer once its session has failed', async () => {
    const { login, visited } = loginThatEndsAt(page, 3)
    const target = { ...targetWith({}), hasFailed: async () => true }
    expect(await awaitReturn(target, login)).toBe(undefined)
    expect(visited).toEqual([page])
  })

  it('is not back where it only left for an app', async () => {
    const { login } = loginThatEndsAt('nowhere')
    const browser = {
      ...login.browser,
      get: async () => ({ ...login.page, status: 0, url: 'app:x' }),
    }
    const target = targetWith({ patience: 0.01 })
    expect(await awaitReturn(target, { ...login, browser })).toBe(undefined)
  })
})
