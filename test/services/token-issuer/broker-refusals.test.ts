import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type HostileIdentityProvider,
  startHostileIdentityProvider,
} from '#test/support/start-hostile-identity-provider.ts'
import {
  beginPortalLogin,
  portal,
  type RunningTokenIssuer,
  startTokenIssuer,
} from '#test/support/start-token-issuer.ts'

const client = { clientId: 'token-issuer', clientSecret: 'a secret of the token issuer' }

// OpenID Connect Core 1.0, 3.1.3.7: what a relying party must check of an id_token.
describe('the broker, given a wrong id_token', () => {
  let idp: HostileIdentityProvider
  let issuer: RunningTokenIssuer
  beforeAll(async () => {
    idp = await startHostileIdentityProvider(client)
    const broker = { alias: 'wallet', issuerUrl: idp.issuer, ...client }
    issuer = await startTokenIssuer((config) => ({ ...config, brokers: [broker] }))
  })
  beforeEach(() => {
    idp.changeClaims((claims) => claims)
    idp.signature = 'right'
  })
  afterAll(async () => {
    await issuer.stop()
    await idp.stop()
  })

  const signIn = async () => {
    const login = await beginPortalLogin(issuer.baseUrl)
    const { url } = await login.browser.get(login.url)
    const interaction = url.split('/').at(-1)
    return login.browser.get(`${issuer.baseUrl}/broker/wallet/login?interaction=${interaction}`)
  }

  it('accepts the right one', async () => {
    expect((await signIn()).url).toContain(portal.redirectUri)
  })

  it.each(['other-key', 'none', 'HS256'] as const)('refuses the signature: %s', async (wrong) => {
    idp.signature = wrong
    expect((await signIn()).url).toContain('alert=login_refused')
  })

  const now = () => Math.floor(Date.now() / 1000)
  it.each([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://another.example' }],
    ['another audience', { aud: 'another' }],
    ['several audiences without azp', { aud: [client.clientId, 'another'] }],
    ['a past expiry', { exp: now() - 60 }],
    ['no expiry', { exp: undefined }],
    ['no subject', { sub: undefined }],
    ['a subject that is no text', { sub: 5 }],
  ])('refuses %s', async (_, wrong) => {
    idp.changeClaims((claims) => ({ ...claims, ...wrong }))
    expect((await signIn()).url).toContain('alert=login_refused')
  })

  it('says so where the provider cannot be reached', async () => {
    const broker = { alias: 'wallet', issuerUrl: 'http://127.0.0.1:9', ...client }
    const alone = await startTokenIssuer((config) => ({ ...config, brokers: [broker] }))
    const login = await beginPortalLogin(alone.baseUrl)
    const { url } = await login.browser.get(login.url)
    const interaction = url.split('/').at(-1)
    const page = await login.browser.get(
      `${alone.baseUrl}/broker/wallet/login?interaction=${interaction}`,
    )
    expect(page.status).toBe(502)
    expect(page.text).toContain('provider_unavailable')
    await alone.stop()
  })
})
