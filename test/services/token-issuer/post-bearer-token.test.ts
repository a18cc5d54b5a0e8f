import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { callJson } from '#test/support/http.ts'
import {
  apiKey,
  audience,
  openPortalLogin,
  password,
  power,
  startTokenIssuer,
} from '#test/support/token-issuer.ts'

describe('POST /internal/bearer-tokens', async () => {
  const issuer = await startTokenIssuer()

  const post = (json: unknown, headers: Record<string, string> = { 'x-api-key': apiKey }) =>
    callJson(`${issuer.baseUrl}/internal/bearer-tokens`, { headers, json })
  const organization = { organization_identifier: 'VATES-A12345678' }

  it('returns the token of a login', async () => {
    const { login, page } = await openPortalLogin(issuer.baseUrl)
    const { url } = await login.browser.submit(page.url, { username: 'ana', password })
    const fromLogin = decodeJwt((await login.finish(url)).access_token)

    const { status, body } = await post(organization)
    expect(status).toBe(200)
    const keys = createRemoteJWKSet(new URL(`${issuer.baseUrl}/jwks`))
    const { payload } = await jwtVerify(body.access_token, keys, {
      issuer: issuer.baseUrl,
      audience,
      typ: 'at+jwt',
    })
    expect(Object.keys(payload).sort()).toEqual(Object.keys(fromLogin).sort())
    const { jti: _, iat, exp, client_id, ...same } = fromLogin
    expect(payload).toMatchObject(same)
    expect(payload.power).toEqual(power)
  })

  it('finds an account by organization and email', async () => {
    const email = 'ana.ruiz@first.example'
    expect((await post({ ...organization, email })).status).toBe(200)
    const other = await post({ ...organization, email: 'bo@second.example' })
    expect([other.status, other.body.error]).toEqual([404, 'unknown_organization'])
  })

  it('adds, replaces and omits claims', async () => {
    const claims = { organization_identifier: 'VATES-X1', aud: 'https://other.example', extra: 7 }
    const { body } = await post({ ...organization, claims, omit: ['extra', 'power', 'exp'] })
    const { payload } = await jwtVerify(
      body.access_token,
      createRemoteJWKSet(new URL(`${issuer.baseUrl}/jwks`)),
      { issuer: issuer.baseUrl, audience: 'https://other.example' },
    )
    expect(payload.organization_identifier).toBe('VATES-X1')
    expect(payload.email).toBe('ana.ruiz@first.example')
    for (const name of ['extra', 'power', 'exp']) expect(payload).not.toHaveProperty(name)
  })

  it.each([60, -60])('creates a token that is valid for %i seconds', async (expiresIn) => {
    const { body } = await post({ ...organization, expires_in: expiresIn })
    const { iat = 0, exp = 0 } = decodeJwt(body.access_token)
    expect(exp - iat).toBe(expiresIn)
    expect(body.expires_in).toBe(expiresIn)
  })

  it.each([
    ['no key', {}, organization, 401, 'invalid_api_key'],
    ['a wrong key', { 'x-api-key': `${apiKey}x` }, organization, 401, 'invalid_api_key'],
    [
      'an unknown organization',
      undefined,
      { organization_identifier: 'X' },
      404,
      'unknown_organization',
    ],
    ['no organization', undefined, {}, 400, 'invalid_request'],
    [
      'a number for an organization',
      undefined,
      { organization_identifier: 5 },
      400,
      'invalid_request',
    ],
    ['a list', undefined, [], 400, 'invalid_request'],
    ['null', undefined, null, 400, 'invalid_request'],
  ])('rejects %s', async (_, headers, body, status, error) => {
    const answer = await post(body, headers)
    expect([answer.status, answer.body.error]).toEqual([status, error])
    expect(answer.body).not.toHaveProperty('access_token')
  })
})
