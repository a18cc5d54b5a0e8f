import * as client from 'openid-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { installMovableClock } from '#testbed/process/clock.ts'
import { type LoginSystem, relyingParty, startLoginSystem } from '../../support/login-system.ts'

/** A login by the given credential, and what its refresh token gives, each time it is called. */
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
 * their lifetime are over, by the time that `Date` gives.
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
  it('gives nothing once the credential of its login is revoked', async () => {
    const system = await startLoginSystem()
    const { refresh } = await logInToRefresh(system)
    expect(await refresh()).toEqual(renewed)
    system.world.publishStatusList([7])
    expect(await refresh()).toEqual(revoked)
    expect(await refresh()).toEqual(revoked)
  })

  it('of another credential still gives tokens', async () => {
    const system = await startLoginSystem()
    const { refresh } = await logInToRefresh(system)
    system.world.publishStatusList([8])
    expect(await refresh()).toEqual(renewed)
  })

  it('gives nothing once the credential of its login has expired', async () => {
    const system = await startLoginSystem()
    const { vc, ...payload } = system.world.credentialPayload()
    const exp = system.world.now + 600
    const validUntil = new Date(exp * 1000).toISOString()
    const credential = system.world.issue({ ...payload, exp, vc: { ...vc, validUntil } })
    const { refresh } = await logInToRefresh(system, credential)
    expect(await refresh()).toEqual(renewed)
    system.runtime.advance(700)
    expect(await refresh()).toEqual(revoked)
  })

  it('gives tokens as long as its grant lasts where the credential has no status', async () => {
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
      expect(await Promise.all([refresh(), refresh(), refresh()])).toEqual([
        unknown,
        unknown,
        unknown,
      ])
      system.runtime.activeFaults.clear()
      expect(await refresh()).toEqual(renewed)
      expect(await refresh()).toEqual(renewed)
    },
  )

  it('gives nothing once the status is known again and the credential was revoked', async () => {
    const system = await startLoginSystem()
    const { refresh } = await logInToRefresh(system)
    system.runtime.activeFaults.add('status-list-down')
    expect(await refresh()).toEqual(unknown)
    system.world.publishStatusList([7])
    system.runtime.activeFaults.clear()
    expect(await refresh()).toEqual(revoked)
  })

  it('that is replaced gives tokens to one of several requests at the same time', async () => {
    const { system, age } = await startWithRotation()
    const { refresh } = await logInToRefresh(system)
    age()
    const answers = await Promise.all([refresh(), refresh(), refresh()])
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(answers.filter(([, error]) => error === 'invalid_grant')).toHaveLength(2)
  })

  it('that was replaced ends its grant when it is used, even while the status is unknown', async () => {
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
