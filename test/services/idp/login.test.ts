import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mandate } from '#conformance/world/create-trust-world.ts'
import {
  type LoginSystem,
  linkOf,
  relyingParty,
  sessionOf,
  startLoginSystem,
  stateOf,
} from '#test/support/login-system.ts'
import { temporaryDatabase } from '#test/support/temporary-folder.ts'
import { installMovableClock } from '#testbed/process/clock.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'

const keySet = ({ baseUrl }: LoginSystem) => createRemoteJWKSet(new URL(`${baseUrl}/accounts/jwks`))

// profile/idp, Claims; A-42. SHA-256 by another tool:
// printf 'VATES-A12345678\nEMP-1' | openssl dgst -sha256 -binary | basenc --base64url
const expectedClaims = {
  sub: '7GkYfL9Pex7sX75M1u3BBK2n_q_e2Cpp0984tJh_pV4',
  email: 'ana.ruiz@first.example',
  given_name: 'Ana',
  family_name: 'Ruiz',
  name: 'Ana Ruiz',
  preferred_username: 'ana.ruiz@first.example',
  organization: 'First Organization',
  organization_identifier: 'VATES-A12345678',
  user_identifier: 'EMP-1',
  power: JSON.stringify(mandate.power),
}

const system = await startLoginSystem()

describe('a login', () => {
  // @row 1.what-the-service-does.2 1.endpoints/credential-idp.4 1.endpoints/credential-idp.17..18
  // @row 1.endpoints/credential-idp.20
  // @row 1.resources-and-their-fields/idp-id-token-claims.1..2 1.limits.2
  // @row 1.resources-and-their-fields/verification-session.1..2 1.states-and-transitions.6
  it('leads from discovery to userinfo (O02, O09 to O12, O14, O17)', async () => {
    const { login, page } = await system.openLogin()
    expect([page.status, stateOf(page)]).toEqual([200, 'pending'])
    expect(page.url).toMatch(`${system.baseUrl}/accounts/interaction/`)

    const link = linkOf(page)
    const [, image = ''] = /src="data:image\/png;base64,([^"]+)"/.exec(page.text) ?? []
    expect(readQrPng(Buffer.from(image, 'base64'))).toEqual({ ok: true, text: link })

    const session = sessionOf(page)
    expect(await (await system.poll(session)).json()).toEqual({ status: 'PENDING' })
    await system.present(link)
    expect(await (await system.poll(session)).json()).toEqual({ status: 'SUCCESS' })

    const back = await login.browser.get(page.url)
    expect(back.url).toMatch(relyingParty.redirectUri)
    const tokens = await login.finish(back.url)
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect(tokens.refresh_token).toEqual(expect.any(String))

    const idToken = await jwtVerify(tokens.id_token ?? '', keySet(system), {
      algorithms: ['RS256'],
      issuer: system.baseUrl,
      audience: relyingParty.clientId,
    })
    expect(idToken.payload).toMatchObject(expectedClaims)
    const { nonce, iat = 0, exp = 0 } = idToken.payload
    expect(nonce).toBe(new URL(login.url).searchParams.get('nonce'))
    expect([exp - iat, Math.abs(iat - Date.now() / 1000) < 60]).toEqual([3600, true])
    expect(new URL(back.url).searchParams.get('state')).toBe(
      new URL(login.url).searchParams.get('state'),
    )
    expect(typeof idToken.payload.power).toBe('string')
    expect(idToken.payload.email_verified).toBeUndefined()
    expect(JSON.parse(String(idToken.payload.power))).toEqual(mandate.power)

    //
    const accessToken = await jwtVerify(tokens.access_token, keySet(system), {
      algorithms: ['RS256'],
      issuer: system.baseUrl,
      audience: system.baseUrl,
      typ: 'at+jwt',
    })
    expect(accessToken.payload).toMatchObject({
      sub: expectedClaims.sub,
      client_id: relyingParty.clientId,
      scope: 'openid profile email openid-vp-lear',
    })

    const userinfo = await client.fetchUserInfo(
      login.provider,
      tokens.access_token,
      expectedClaims.sub,
    )
    expect(userinfo).toEqual(expectedClaims)
  })

  // @row 1.endpoints/credential-idp.17..18
  it('works without PKCE, nonce and state', async () => {
    const provider = await system.discover()
    const login = await system.beginLogin()
    const url = new URL(login.url)
    for (const name of ['code_challenge', 'code_challenge_method', 'nonce', 'state']) {
      url.searchParams.delete(name)
    }
    const page = await login.browser.get(url.href)
    await system.present(linkOf(page))
    const back = await login.browser.get(page.url)
    const tokens = await client.authorizationCodeGrant(provider, new URL(back.url))
    expect(tokens.claims()?.nonce).toBeUndefined()
  })

  it('gives only the claims of the requested scopes', async () => {
    const { login, finish } = await system.logIn({ parameters: { scope: 'openid email' } })
    const tokens = await finish()
    const { sub, email } = expectedClaims
    expect(await client.fetchUserInfo(login.provider, tokens.access_token, sub)).toEqual({
      sub,
      email,
    })
    expect(tokens.claims()).not.toHaveProperty('organization')
  })

  it.each(['login', 'consent', 'login consent'])(
    'asks for no consent with prompt=%s',
    async (prompt) => {
      const { finish } = await system.logIn({ parameters: { prompt } })
      expect((await finish()).claims()?.sub).toBe(expectedClaims.sub)
    },
  )

  it('is only for the person in id_token_hint', async () => {
    const { finish } = await system.logIn()
    const parameters = { id_token_hint: (await finish()).id_token ?? '' }
    const { finish: finishAgain } = await system.logIn({ parameters })
    expect((await finishAgain()).claims()?.sub).toBe(expectedClaims.sub)
    const payload = system.world.credentialPayload()
    const { credentialSubject } = payload.vc
    const mandatee = { ...mandate.mandatee, employeeId: 'EMP-2' }
    const vc = {
      ...payload.vc,
      credentialSubject: { ...credentialSubject, mandate: { ...mandate, mandatee } },
    }
    const { login, page } = await system.openLogin({ parameters })
    await system.present(linkOf(page), { credential: system.world.issue({ ...payload, vc }) })
    const { url } = await login.browser.get(page.url)
    expect(new URL(url).searchParams.get('error')).toBe('login_required')
  })

  it('can be refreshed (A-33)', async () => {
    const { login, finish } = await system.logIn()
    const { refresh_token: refreshToken = '' } = await finish()
    const tokens = await client.refreshTokenGrant(login.provider, refreshToken)
    expect(tokens.claims()).toMatchObject(expectedClaims)
    expect(
      await client.fetchUserInfo(login.provider, tokens.access_token, expectedClaims.sub),
    ).toEqual(expectedClaims)
  })

  it('keeps the claims of its credential', async () => {
    const first = await system.logIn()
    const payload = system.world.credentialPayload()
    const { credentialSubject } = payload.vc
    const power = [{ type: 'domain', domain: 'Org', function: 'Other', action: ['read'] }]
    const vc = {
      ...payload.vc,
      credentialSubject: { ...credentialSubject, mandate: { ...mandate, power } },
    }
    const second = await system.logIn({ credential: system.world.issue({ ...payload, vc }) })
    const powerOf = async ({ login, finish }: typeof first) => {
      const { access_token } = await finish()
      return (await client.fetchUserInfo(login.provider, access_token, expectedClaims.sub)).power
    }
    expect(await powerOf(second)).toBe(JSON.stringify(power))
    expect(await powerOf(first)).toBe(expectedClaims.power)
  })

  it('is not remembered: a revocation applies to the next one', async () => {
    const system = await startLoginSystem()
    const { login } = await system.logIn()
    const { login: again, page } = await system.openLogin({ browser: login.browser })
    expect(stateOf(page)).toBe('pending')
    system.world.publishStatusList([7])
    await system.present(linkOf(page))
    expect(stateOf(await again.browser.get(page.url))).toBe('failed')
    const { page: back } = await system.openLogin({
      browser: login.browser,
      parameters: { prompt: 'none' },
    })
    expect(new URL(back.url).searchParams.get('error')).toBe('login_required')
  })

  it('works in several tabs at the same time', async () => {
    const one = await system.beginLogin()
    const two = await system.beginLogin({ browser: one.browser })
    const pageOne = await one.browser.get(one.url)
    const pageTwo = await two.browser.get(two.url)
    expect(sessionOf(pageOne)).not.toBe(sessionOf(pageTwo))
    await system.present(linkOf(pageOne))
    await system.present(linkOf(pageTwo))
    const backTwo = await two.browser.get(pageTwo.url)
    const backOne = await one.browser.get(pageOne.url)
    expect((await two.finish(backTwo.url)).claims()?.sub).toBe(expectedClaims.sub)
    expect((await one.finish(backOne.url)).claims()?.sub).toBe(expectedClaims.sub)
  })

  it('survives restarts before and after the presentation', async () => {
    const databaseUrl = temporaryDatabase()
    const system = await startLoginSystem((config) => ({ ...config, databaseUrl }))
    const { login, page } = await system.openLogin()
    await system.restartIdp()
    await system.present(linkOf(page))
    await system.restartIdp()
    const back = await login.browser.get(page.url)
    await system.restartIdp()
    expect((await login.finish(back.url)).claims()?.sub).toBe(expectedClaims.sub)
  })
})

/** A login with the given credential, and a function that uses its refresh token. */
async function logInToRefresh(system: LoginSystem, credential = system.world.issue()) {
  const { finish } = await system.logIn({ credential })
  let { refresh_token: refreshToken = '' } = await finish()
  const { clientId, clientSecret } = relyingParty
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':')
  const refresh = async () => {
    const response = await fetch(`${system.baseUrl}/accounts/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(credentials)}` },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    })
    const answer = (await response.json()) as { refresh_token?: string; error?: string }
    refreshToken = answer.refresh_token ?? refreshToken
    return [response.status, answer.error]
  }
  return { refresh }
}

/**
 * A system whose refresh tokens are replaced at their next use. oidc-provider does so once 70 % of
 * their lifetime have passed, by the time of `Date`.
 */
async function startWithRotation() {
  const clock = installMovableClock()
  onTestFinished(() => clock.uninstall())
  const refreshTokenLifetime = 10_000
  const system = await startLoginSystem((config) => ({ ...config, refreshTokenLifetime }))
  return { system, age: () => clock.advance(0.8 * refreshTokenLifetime) }
}

const revoked = [400, 'invalid_grant']
const unknown = [503, 'temporarily_unavailable']
const renewed = [200, undefined]

describe('a refresh token', () => {
  it('is rejected once the credential of its login is revoked', async () => {
    const system = await startLoginSystem()
    const { refresh } = await logInToRefresh(system)
    expect(await refresh()).toEqual(renewed)
    system.world.publishStatusList([7])
    expect(await refresh()).toEqual(revoked)
    expect(await refresh()).toEqual(revoked)
  })

  it('of another credential still yields tokens', async () => {
    const system = await startLoginSystem()
    const { refresh } = await logInToRefresh(system)
    system.world.publishStatusList([8])
    expect(await refresh()).toEqual(renewed)
  })

  it.each([
    ['by validUntil', true],
    ['only by exp', false],
  ])(
    'is rejected once the credential of its login has expired %s',
    async (_name, hasValidUntil) => {
      const system = await startLoginSystem()
      const { vc, ...payload } = system.world.credentialPayload()
      const exp = system.world.now + 600
      const validUntil = hasValidUntil ? new Date(exp * 1000).toISOString() : undefined
      const credential = system.world.issue({ ...payload, exp, vc: { ...vc, validUntil } })
      const { refresh } = await logInToRefresh(system, credential)
      expect(await refresh()).toEqual(renewed)
      system.runtime.advance(700)
      expect(await refresh()).toEqual(revoked)
    },
  )

  it('yields tokens if the credential has no status', async () => {
    const system = await startLoginSystem()
    const { vc, ...payload } = system.world.credentialPayload()
    const { credentialStatus: _, ...withoutStatus } = vc
    const credential = system.world.issue({ ...payload, vc: withoutStatus })
    const { refresh } = await logInToRefresh(system, credential)
    system.runtime.activeFaults.add('status-list-down')
    expect(await refresh()).toEqual(renewed)
  })

  it.each(['status-list-down', 'did-registry-down', 'verifier-down'] as const)(
    'is not used up while the status is unknown: %s',
    async (fault) => {
      const { system, age } = await startWithRotation()
      const { refresh } = await logInToRefresh(system)
      age()
      system.runtime.activeFaults.add(fault)
      expect(await refresh()).toEqual(unknown)
      const answers = await Promise.all([refresh(), refresh(), refresh()])
      expect(answers).toEqual([unknown, unknown, unknown])
      system.runtime.activeFaults.clear()
      expect(await refresh()).toEqual(renewed)
      expect(await refresh()).toEqual(renewed)
    },
  )

  it('is rejected once the status is available again and is revoked', async () => {
    const system = await startLoginSystem()
    const { refresh } = await logInToRefresh(system)
    system.runtime.activeFaults.add('status-list-down')
    expect(await refresh()).toEqual(unknown)
    system.world.publishStatusList([7])
    system.runtime.activeFaults.clear()
    expect(await refresh()).toEqual(revoked)
  })

  it('that is replaced yields tokens to one of several simultaneous requests', async () => {
    const { system, age } = await startWithRotation()
    const { refresh } = await logInToRefresh(system)
    age()
    const answers = await Promise.all([refresh(), refresh(), refresh()])
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(answers.filter(([, error]) => error === 'invalid_grant')).toHaveLength(2)
  })

  it('that was replaced ends its grant if it is used, even while the status is unknown', async () => {
    const { system, age } = await startWithRotation()
    const { login, finish } = await system.logIn()
    const { refresh_token: old = '' } = await finish()
    age()
    const { refresh_token: next = '' } = await client.refreshTokenGrant(login.provider, old)
    expect(next).not.toBe(old)
    const expectRefusal = (token: string) =>
      expect(client.refreshTokenGrant(login.provider, token)).rejects.toMatchObject({
        error: 'invalid_grant',
      })
    system.runtime.activeFaults.add('status-list-down')
    await expectRefusal(old)
    system.runtime.activeFaults.clear()
    await expectRefusal(next)
  })
})
