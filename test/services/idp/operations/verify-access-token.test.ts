import { createLocalJWKSet, importJWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { publicJwkOf } from '#core/crypto/jwk.ts'
import { createRsaKey, type RsaPrivateJwk } from '#kit/openid-provider/signing-keys.ts'
import type { Dependencies } from '#services/idp/dependencies.ts'
import { verifyAccessToken } from '#services/idp/operations/verify-access-token.ts'
import { createTestRuntime } from '#test/support/services.ts'

const baseUrl = 'https://idp.example'
const runtime = createTestRuntime()
const now = runtime.clock.seconds()
const claimsFor = () => ({})
let key: RsaPrivateJwk
let otherKey: RsaPrivateJwk

beforeAll(async () => {
  key = await createRsaKey()
  otherKey = await createRsaKey()
})

/** The dependencies of the verification: the keys, and the only grant. */
const dependencies = () => {
  const grant = { accountId: 'ana', clientId: 'portal' }
  const Grant = { find: async (id: string) => (id === 'grant' ? grant : undefined) }
  const keySet = createLocalJWKSet({ keys: [{ ...publicJwkOf(key) }] })
  return {
    config: { baseUrl },
    runtime,
    providers: {
      read: async () => ({ provider: { Grant }, readKeySet: () => keySet, claimsFor }),
    },
  } as unknown as Dependencies
}

async function verify(claims: object = {}, { typ = 'at+jwt', signedBy = key, ending = '' } = {}) {
  const token = await new SignJWT({
    iss: baseUrl,
    aud: baseUrl,
    sub: 'ana',
    client_id: 'portal',
    grant_id: 'grant',
    scope: 'openid email',
    exp: now + 60,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', typ, kid: key.kid })
    .sign(await importJWK({ ...signedBy }, 'RS256'))
  return verifyAccessToken(token + ending, dependencies())
}

describe('an access token (A-32)', () => {
  it('is valid if everything is correct', async () => {
    expect(await verify()).toEqual({
      subject: 'ana',
      grantId: 'grant',
      scopes: ['openid', 'email'],
      claimsFor,
    })
  })

  it.each([
    ['another issuer', { iss: 'https://other.example' }],
    ['another audience', { aud: 'portal' }],
    ['an expiry that has come', { exp: now }],
    ['no end', { exp: undefined }],
    ['no client', { client_id: undefined }],
    ['no grant', { grant_id: undefined }],
    ['a grant that was revoked', { grant_id: 'revoked' }],
    ['the grant of another client', { client_id: 'shop' }],
    ['the grant of another user', { sub: 'berta' }],
  ])('is rejected with %s, even with a valid signature', async (_name, claims) => {
    await expect(verify(claims)).rejects.toMatchObject({ code: 'invalid_token', status: 401 })
  })

  it('is rejected if it is another kind of token, or is signed with another key', async () => {
    for (const change of [{ typ: 'JWT' }, { signedBy: otherKey }]) {
      await expect(verify({}, change)).rejects.toMatchObject({ code: 'invalid_token' })
    }
  })

  it('is rejected with a padded signature', async () => {
    await expect(verify({}, { ending: '==' })).rejects.toMatchObject({ code: 'invalid_token' })
  })

  it('is rejected without the scope openid', async () => {
    await expect(verify({ scope: 'email' })).rejects.toMatchObject({
      code: 'insufficient_scope',
      status: 403,
    })
  })
})
