import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  type LoginSystem,
  openPanel,
  type Panel,
  startLoginSystem,
} from '#test/support/login-system.ts'
import { temporaryDatabase } from '#test/support/temporary-folder.ts'

async function fetchKeys({ baseUrl }: LoginSystem): Promise<JSONWebKeySet> {
  return (await (await fetch(`${baseUrl}/accounts/jwks`)).json()) as JSONWebKeySet
}

const kidsOf = async (system: LoginSystem) => (await fetchKeys(system)).keys.map(({ kid }) => kid)

/** Tokens of a whole login by openid-client, which verifies the id_token with the key set. */
async function logIn(system: LoginSystem) {
  const { finish } = await system.logIn()
  const { id_token = '', access_token } = await finish()
  return [id_token, access_token]
}

/** Verifies tokens by jose with the current key set, at the time of the system's clock. */
async function verify(system: LoginSystem, tokens: readonly string[]) {
  const keys = createLocalJWKSet(await fetchKeys(system))
  const currentDate = new Date(system.runtime.clock.milliseconds())
  return Promise.all(
    tokens.map((token) =>
      jwtVerify(token, keys, { algorithms: ['RS256'], issuer: system.baseUrl, currentDate }).then(
        () => 'valid',
        ({ code }) => code,
      ),
    ),
  )
}

async function rotate(panel: Panel) {
  const { text } = await panel.get('/admin/keys')
  const kid = /name="kid" value="([^"]*)"/.exec(text)?.[1] ?? ''
  return panel.submit('/admin/keys/rotate', { kid })
}

// @row 1.endpoints/credential-idp.7
describe('rotating the key that signs tokens', () => {
  it('creates a key that signs immediately, while the old key still verifies', async () => {
    const system = await startLoginSystem()
    const before = await kidsOf(system)
    const old = await logIn(system)
    const page = await rotate(await openPanel(system))
    expect([page.status, new URL(page.url).search]).toEqual([200, '?done=rotated'])
    const { keys } = await fetchKeys(system)
    const after = keys.map(({ kid }) => kid)
    for (const key of keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
      expect(key).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' })
    }
    expect(after).toEqual([expect.any(String), ...before])
    const fresh = await logIn(system)
    for (const token of fresh) expect(decodeProtectedHeader(token).kid).toBe(after[0])
    for (const token of old) expect(decodeProtectedHeader(token).kid).toBe(before[0])
    expect(await verify(system, [...old, ...fresh])).toEqual(Array(4).fill('valid'))
    // Userinfo still accepts an access token from before the rotation.
    const userinfo = await fetch(`${system.baseUrl}/accounts/userinfo`, {
      headers: { authorization: `Bearer ${old[1]}` },
    })
    expect(userinfo.status).toBe(200)
  })

  it('removes the old key once its last token has expired', async () => {
    const system = await startLoginSystem((config) => ({
      ...config,
      accessTokenLifetime: 7200,
      idTokenLifetime: 600,
    }))
    const panel = await openPanel(system)
    const tokens = await logIn(system)
    await rotate(panel)
    system.runtime.advance(7000)
    expect(await kidsOf(system)).toHaveLength(2)
    expect(await verify(system, tokens)).toEqual(['ERR_JWT_EXPIRED', 'valid'])
    system.runtime.advance(230)
    expect(await verify(system, tokens)).toEqual(['ERR_JWT_EXPIRED', 'ERR_JWT_EXPIRED'])
    system.runtime.advance(60)
    expect(await kidsOf(system)).toHaveLength(1)
    expect(await verify(system, tokens)).toEqual(Array(2).fill('ERR_JWKS_NO_MATCHING_KEY'))
  })

  it('survives a restart, and removes the key before the previous one', async () => {
    const databaseUrl = temporaryDatabase()
    const system = await startLoginSystem((config) => ({ ...config, databaseUrl }))
    const old = await logIn(system)
    await rotate(await openPanel(system))
    const kids = await kidsOf(system)
    await system.restartIdp()
    expect(await kidsOf(system)).toEqual(kids)
    const fresh = await logIn(system)
    expect(decodeProtectedHeader(fresh[0] ?? '').kid).toBe(kids[0])
    expect(await verify(system, [...old, ...fresh])).toEqual(Array(4).fill('valid'))
    system.runtime.advance(4000)
    await rotate(await openPanel(system))
    expect((await kidsOf(system)).at(-1)).toBe(kids[0])
    const { text } = await (await openPanel(system)).get('/admin/keys')
    expect(text).not.toContain(kids[1])
  })

  it('happens once if the button is pressed twice', async () => {
    const system = await startLoginSystem()
    const panel = await openPanel(system)
    const { text } = await panel.get('/admin/keys')
    const kid = /name="kid" value="([^"]*)"/.exec(text)?.[1] ?? ''
    await Promise.all([0, 1, 2].map(() => panel.submit('/admin/keys/rotate', { kid })))
    await panel.submit('/admin/keys/rotate', { kid: 'unknown' })
    expect(await kidsOf(system)).toHaveLength(2)
  })

  it('applies to other processes on the same database', async () => {
    const databaseUrl = temporaryDatabase()
    const configure = () => startLoginSystem((config) => ({ ...config, databaseUrl }))
    const [first, second] = [await configure(), await configure()]
    await logIn(second)
    await rotate(await openPanel(first))
    const kids = await kidsOf(first)
    expect(await kidsOf(second)).toEqual(kids)
    const [idToken = ''] = await logIn(second)
    expect(decodeProtectedHeader(idToken).kid).toBe(kids[0])
  })
})
