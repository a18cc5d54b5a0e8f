import { scryptSync } from 'node:crypto'
import type { Request } from 'express'
import { generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type BearerOptions, bearerAuthentication } from '#kit/authentication.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { Keeper } from '#kit/runtime.ts'
import { createPasswordHash, isPasswordHash, verifyPassword } from '#kit/secrets.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { type BearerIssuer, startBearerIssuer } from '#test/support/start-bearer-issuer.ts'

/** Authenticates requests with the keys at a URL, with one key set for its lifetime. */
function createGate(jwksUri: string, settings: Partial<BearerOptions> = {}) {
  const runtime = createTestRuntime()
  const client = createHttpClient(runtime, {
    caller: 'issuer',
    dependency: 'token issuer',
    baseUrl: new URL(jwksUri).origin,
  })
  const check = bearerAuthentication({ jwksUri, client, clock: runtime.clock, ...settings })
  return async (authorization: string | undefined) => {
    const get = (name: string) => (name === 'authorization' ? authorization : undefined)
    return check({ get } as unknown as Request)
  }
}

async function startIssuer(alg?: 'RS256' | 'ES256'): Promise<BearerIssuer> {
  const issuer = await startBearerIssuer(alg)
  onTestFinished(() => issuer.stop())
  return issuer
}

const refused = { code: 'invalid_token', status: 401, message: 'invalid token' }
const unsecured = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"aud":"portal","exp":9999999999}').toString('base64url')}.`
const seconds = () => Math.floor(Date.now() / 1000)

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Another encoding of the same signature: the last character has unused bits. */
const setUnusedBits = (token: string) =>
  token.slice(0, -1) + alphabet[alphabet.indexOf(token.slice(-1)) + 1]

describe.each(['RS256', 'ES256'] as const)('Bearer tokens that jose signs with %s', (alg) => {
  let issuer: BearerIssuer
  beforeAll(async () => {
    issuer = await startBearerIssuer(alg)
    return () => issuer.stop()
  })
  const mint = (claims: object = {}, options = {}) =>
    issuer.mint({ iss: 'https://tokens.example', aud: 'portal', ...claims }, options)
  const enter = (authorization: string | undefined) =>
    createGate(issuer.jwksUri, { issuer: 'https://tokens.example', audience: 'portal' })(
      authorization,
    )

  // @row 1.authentication.1
  it('yield their claims', async () => {
    expect(await enter(`Bearer ${await mint()}`)).toMatchObject({ aud: 'portal' })
    expect(await enter(`bearer ${await mint({ aud: ['a', 'portal'] })}`)).toBeTruthy()
    // RFC 6750, 2.1: one or more spaces.
    expect(await enter(`Bearer   ${await mint()}`)).toBeTruthy()
  })

  // @row 1.errors.1
  it.each<[string, () => Promise<string | undefined>]>([
    ['no header', async () => undefined],
    ['another scheme', async () => `Basic ${await mint()}`],
    ['no token', async () => 'Bearer '],
    ['two tokens', async () => `Bearer ${await mint()} ${await mint()}`],
    ['garbage', async () => 'Bearer garbage'],
    ['a padded signature', async () => `Bearer ${await mint()}==`],
    ['unused bits set in the signature', async () => `Bearer ${setUnusedBits(await mint())}`],
    ['alg none', async () => `Bearer ${unsecured}`],
    ['an expired token', async () => `Bearer ${await mint({ exp: 1 })}`],
    ['a token without exp', async () => `Bearer ${await mint({ exp: undefined })}`],
    ['an exp that is not a number', async () => `Bearer ${await mint({ exp: 'later' })}`],
    ['another audience', async () => `Bearer ${await mint({ aud: 'other' })}`],
    ['no audience', async () => `Bearer ${await mint({ aud: undefined })}`],
    ['another issuer', async () => `Bearer ${await mint({ iss: 'https://other.example' })}`],
    ['a foreign key', async () => `Bearer ${await mint({}, { foreignKey: true })}`],
    [
      'a foreign key without kid',
      async () => `Bearer ${await mint({}, { foreignKey: true, withoutKid: true })}`,
    ],
  ])('are rejected: %s', async (_, header) => {
    await expect(enter(await header())).rejects.toMatchObject(refused)
  })
})

describe('the settings', () => {
  it('issuer and audience are not checked if they are not set', async () => {
    const issuer = await startIssuer()
    const enter = createGate(issuer.jwksUri)
    expect(await enter(`Bearer ${await issuer.mint({ iss: 'any', aud: 'any' })}`)).toBeTruthy()
    expect(await enter(`Bearer ${await issuer.mint()}`)).toBeTruthy()
  })

  it('clocks may differ by at most the set number of seconds', async () => {
    const issuer = await startIssuer()
    const enter = createGate(issuer.jwksUri, { clockToleranceSeconds: 60 })
    const strict = createGate(issuer.jwksUri, { clockToleranceSeconds: 0 })
    const late = `Bearer ${await issuer.mint({ exp: seconds() - 30 })}`
    const early = `Bearer ${await issuer.mint({ nbf: seconds() + 30 })}`
    for (const token of [late, early]) {
      expect(await enter(token)).toBeTruthy()
      await expect(strict(token)).rejects.toMatchObject(refused)
    }
    const tooLate = `Bearer ${await issuer.mint({ exp: seconds() - 90 })}`
    await expect(enter(tooLate)).rejects.toMatchObject(refused)
  })
})

describe('keys that change', () => {
  it('are loaded, and a withdrawn key is no longer valid', async () => {
    const issuer = await startIssuer()
    const enter = createGate(issuer.jwksUri)
    const old = `Bearer ${await issuer.mint()}`
    expect(await enter(old)).toBeTruthy()
    await issuer.rotate()
    const fresh = `Bearer ${await issuer.mint()}`
    await expect.poll(() => enter(fresh)).toBeTruthy()
    await expect(enter(old)).rejects.toMatchObject(refused)
  })

  it('are valid together with the old keys while these are still published', async () => {
    const issuer = await startIssuer('ES256')
    const enter = createGate(issuer.jwksUri)
    const old = `Bearer ${await issuer.mint()}`
    await issuer.rotate({ keep: true })
    expect(await enter(old)).toBeTruthy()
    expect(await enter(`Bearer ${await issuer.mint()}`)).toBeTruthy()
  })

  it('are fetched again after the cache has expired, even without an unknown key', async () => {
    const issuer = await startIssuer()
    const enter = createGate(issuer.jwksUri, { cacheSeconds: 1 })
    const old = `Bearer ${await issuer.mint()}`
    expect(await enter(old)).toBeTruthy()
    await issuer.rotate()
    await expect.poll(() => enter(old).catch((error) => error)).toMatchObject(refused)
  })

  it('are not fetched once for each token with an unknown key', async () => {
    const issuer = await startIssuer()
    const enter = createGate(issuer.jwksUri)
    expect(await enter(`Bearer ${await issuer.mint()}`)).toBeTruthy()
    const { privateKey } = await generateKeyPair('ES256')
    const began = performance.now()
    for (let number = 0; number < 200; number++) {
      const token = await new SignJWT({ exp: seconds() + 60 })
        .setProtectedHeader({ alg: 'ES256', kid: `invented-${number}` })
        .sign(privateKey)
      await expect(enter(`Bearer ${token}`)).rejects.toMatchObject(refused)
    }
    const elapsed = Math.ceil((performance.now() - began) / 1000)
    expect(issuer.fetches).toBeLessThanOrEqual(2 + elapsed)
  })

  it('without kid are all tried, including the new key', async () => {
    const issuer = await startIssuer()
    const enter = createGate(issuer.jwksUri)
    const mint = async () => `Bearer ${await issuer.mint({}, { withoutKid: true })}`
    const old = await mint()
    expect(await enter(old)).toBeTruthy()
    await issuer.rotate({ keep: true })
    const fresh = await mint()
    await expect.poll(() => enter(fresh)).toBeTruthy()
    expect(await enter(old)).toBeTruthy()
    const foreign = await issuer.mint({}, { withoutKid: true, foreignKey: true })
    await expect(enter(`Bearer ${foreign}`)).rejects.toMatchObject(refused)
    const expired = await issuer.mint({ exp: 1 }, { withoutKid: true })
    await expect(enter(`Bearer ${expired}`)).rejects.toMatchObject(refused)
  })
})

describe('an unavailable key set', () => {
  it('is not reported as an invalid token', async () => {
    const issuer = await startIssuer()
    const enter = createGate('http://127.0.0.1:1/jwks')
    await expect(enter(`Bearer ${await issuer.mint()}`)).rejects.toMatchObject({
      code: 'dependency_unavailable',
      status: 503,
    })
  })
})

describe('a restored snapshot', () => {
  it('causes the key set to be fetched again immediately', async () => {
    // A new RSA key can take longer than the second after which a key set may be fetched again.
    const issuer = await startIssuer('ES256')
    const keepers: Keeper[] = []
    const snapshots = { add: (keeper: Keeper) => void keepers.push(keeper) }
    const enter = createGate(issuer.jwksUri, { snapshots })
    await enter(`Bearer ${await issuer.mint()}`)
    const saved = await keepers[0]?.save?.()
    await issuer.rotate()
    // It has just been fetched, and is not fetched for each unknown key.
    await expect(enter(`Bearer ${await issuer.mint()}`)).rejects.toMatchObject(refused)
    await saved?.restore()
    expect(await enter(`Bearer ${await issuer.mint()}`)).toBeTruthy()
  })
})

describe('password hashes', () => {
  it('match their password and no other', async () => {
    const hash = await createPasswordHash('correct horse')
    expect(isPasswordHash(hash)).toBe(true)
    expect(await verifyPassword('correct horse', hash)).toBe(true)
    expect(await verifyPassword('correct horse ', hash)).toBe(false)
    expect(await verifyPassword('', hash)).toBe(false)
    expect(await createPasswordHash('correct horse')).not.toBe(hash)
  })

  it('match a hash from another implementation, with its own cost parameters', async () => {
    // RFC 7914, section 12, third vector: N 16384, r 8, p 1; the first 32 of its 64 bytes.
    const vector = '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2'
    const options = { N: 16384, r: 8, p: 1 }
    expect(scryptSync('pleaseletmein', 'SodiumChloride', 32, options).toString('hex')).toBe(vector)
    const salt = Buffer.from('SodiumChloride').toString('base64url')
    const key = Buffer.from(vector, 'hex').toString('base64url')
    expect(await verifyPassword('pleaseletmein', `scrypt$16384$8$1$${salt}$${key}`)).toBe(true)
  })

  it('do not match a missing or malformed hash, or an excessively long password', async () => {
    const long = 'x'.repeat(1025)
    expect(await verifyPassword('anything', undefined)).toBe(false)
    expect(await verifyPassword('anything', 'anything')).toBe(false)
    expect(await verifyPassword(long, await createPasswordHash(long))).toBe(false)
  })
})
