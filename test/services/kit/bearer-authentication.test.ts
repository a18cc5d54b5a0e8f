import type { Request } from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearerAuthentication } from '#kit/bearer-authentication.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import { createTestRuntime } from '#test/support/create-test-runtime.ts'
import { type BearerIssuer, startBearerIssuer } from '#test/support/start-bearer-issuer.ts'

let issuer: BearerIssuer

beforeAll(async () => {
  issuer = await startBearerIssuer()
})
afterAll(() => issuer.stop())

function authenticate(authorization: string | undefined, jwksUri = issuer.jwksUri) {
  const runtime = createTestRuntime()
  const client = createHttpClient(runtime, {
    caller: 'issuer',
    dependency: 'token issuer',
    baseUrl: new URL(jwksUri).origin,
  })
  const audience = 'portal'
  const check = bearerAuthentication({ jwksUri, client, clock: runtime.clock, audience })
  const get = (name: string) => (name === 'authorization' ? authorization : undefined)
  return check({ get } as unknown as Request)
}

const refused = { code: 'invalid_token', status: 401 }
const unsecured = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"aud":"portal","exp":9999999999}').toString('base64url')}.`

describe('Bearer authentication', () => {
  it('gives the claims of a token that the key set verifies', async () => {
    const token = await issuer.mint({ aud: 'portal' })
    expect(await authenticate(`Bearer ${token}`)).toMatchObject({ aud: 'portal' })
  })

  it.each<[string, () => Promise<string | undefined>]>([
    ['no header', async () => undefined],
    ['another scheme', async () => `Basic ${await issuer.mint({ aud: 'portal' })}`],
    ['garbage', async () => 'Bearer garbage'],
    ['alg none', async () => `Bearer ${unsecured}`],
    ['an expired token', async () => `Bearer ${await issuer.mint({ aud: 'portal', exp: 1 })}`],
    [
      'a token without exp',
      async () => `Bearer ${await issuer.mint({ aud: 'portal', exp: undefined })}`,
    ],
    ['another audience', async () => `Bearer ${await issuer.mint({ aud: 'other' })}`],
    [
      'a foreign key',
      async () => `Bearer ${await issuer.mint({ aud: 'portal' }, { foreignKey: true })}`,
    ],
  ])('refuses %s', async (_, header) => {
    await expect(authenticate(await header())).rejects.toMatchObject(refused)
  })

  it('blames nobody for a key set that is out of reach', async () => {
    const token = await issuer.mint({ aud: 'portal' })
    await expect(authenticate(`Bearer ${token}`, 'http://127.0.0.1:1/jwks')).rejects.toMatchObject({
      code: 'dependency_unavailable',
      status: 503,
    })
  })
})
