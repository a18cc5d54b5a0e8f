import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { createHolder, mandate } from '#conformance/world/create-trust-world.ts'
import {
  type LoginSystem,
  linkOf,
  otherParty,
  relyingParty,
  sessionOf,
  startLoginSystem,
  stateOf,
} from '#test/support/login-system.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'

const keySet = ({ baseUrl }: LoginSystem) => createRemoteJWKSet(new URL(`${baseUrl}/accounts/jwks`))

// Document 1, IDP id_token claims; A-42. SHA-256 by another tool:
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

describe('a login', () => {
  // @row 1.what-the-service-does.2 1.endpoints/credential-idp.4 1.endpoints/credential-idp.17..18
  // @row 1.endpoints/credential-idp.20
  // @row 1.resources-and-their-fields/idp-id-token-claims.1..2 1.limits.2
  // @row 1.resources-and-their-fields/verification-session.1..2 1.states-and-transitions.6
  it('O02, O09, O10, O11, O12, O14, O17 leads from discovery to userinfo, as openid-client and jose see it', async () => {
    const system = await startLoginSystem()
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
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

  it.each([
    ['secp256k1', 'jwk'],
    ['Ed25519', 'key'],
    ['Ed25519', 'jwk'],
  ] as const)('works with a wallet of %s and did:%s', async (curve, method) => {
    const system = await startLoginSystem()
    const { finish } = await system.logIn({ holder: createHolder('another', curve, method) })
    expect((await finish()).claims()?.organization_identifier).toBe('VATES-A12345678')
  })

  // @row 1.endpoints/credential-idp.5
  it('takes the client secret as Basic and in the body, for each client', async () => {
    const system = await startLoginSystem()
    for (const authentication of [client.ClientSecretBasic, client.ClientSecretPost]) {
      for (const party of [relyingParty, otherParty]) {
        const { finish } = await system.logIn({ authentication, party })
        expect((await finish()).access_token).toEqual(expect.any(String))
      }
    }
  })

  // @row 1.endpoints/credential-idp.17..18
  it('works without PKCE, nonce and state', async () => {
    const system = await startLoginSystem()
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

  it('gives the claims of the scopes that were asked for, and no others', async () => {
    const system = await startLoginSystem()
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
    'asks for no consent, whatever a relying party wishes: prompt=%s',
    async (prompt) => {
      const system = await startLoginSystem()
      const { finish } = await system.logIn({ parameters: { prompt } })
      expect((await finish()).claims()?.sub).toBe(expectedClaims.sub)
    },
  )

  it('can be refreshed (A-33)', async () => {
    const system = await startLoginSystem()
    const { login, finish } = await system.logIn()
    const { refresh_token: refreshToken = '' } = await finish()
    const tokens = await client.refreshTokenGrant(login.provider, refreshToken)
    expect(tokens.claims()).toMatchObject(expectedClaims)
    expect(
      await client.fetchUserInfo(login.provider, tokens.access_token, expectedClaims.sub),
    ).toEqual(expectedClaims)
  })

  it('tells organizations with the same employeeId apart (A-42)', async () => {
    const system = await startLoginSystem()
    const subjectFor = async (organizationIdentifier: string, employeeId: string) => {
      const payload = system.world.credentialPayload()
      const { credentialSubject } = payload.vc
      const changed = {
        ...mandate,
        mandator: { ...mandate.mandator, organizationIdentifier },
        mandatee: { ...mandate.mandatee, employeeId },
      }
      const vc = { ...payload.vc, credentialSubject: { ...credentialSubject, mandate: changed } }
      const { finish } = await system.logIn({ credential: system.world.issue({ ...payload, vc }) })
      return (await finish()).claims()?.sub
    }
    const subjects = [
      await subjectFor('VATES-A12345678', 'EMP-1'),
      await subjectFor('VATES-B87654321', 'EMP-1'),
      await subjectFor('VATES-A12345678', 'EMP-2'),
    ]
    expect(subjects[0]).toBe(expectedClaims.sub)
    expect(new Set(subjects).size).toBe(3)
  })

  it('keeps each login to the credential that it was made with', async () => {
    const system = await startLoginSystem()
    const first = await system.logIn()
    const payload = system.world.credentialPayload()
    const { credentialSubject } = payload.vc
    const power = [{ type: 'domain', domain: 'Org', function: 'Other', action: ['read'] }]
    const vc = {
      ...payload.vc,
      credentialSubject: { ...credentialSubject, mandate: { ...mandate, power } },
    }
    const second = await system.logIn({ credential: system.world.issue({ ...payload, vc }) })
    const powerOf = async ({ login, finish }: typeof first) =>
      (
        await client.fetchUserInfo(
          login.provider,
          (
            await finish()
          ).access_token,
          expectedClaims.sub,
        )
      ).power
    expect(await powerOf(second)).toBe(JSON.stringify(power))
    expect(await powerOf(first)).toBe(expectedClaims.power)
  })

  it('is asked for anew each time: a revocation bites at the next one', async () => {
    const system = await startLoginSystem()
    const { login } = await system.logIn()
    const again = await system.beginLogin({ browser: login.browser })
    const page = await again.browser.get(again.url)
    expect(stateOf(page)).toBe('pending')
    system.world.publishStatusList([7])
    await system.present(linkOf(page))
    expect(stateOf(await again.browser.get(page.url))).toBe('failed')
    const silent = await system.beginLogin({
      browser: login.browser,
      parameters: { prompt: 'none' },
    })
    const back = await silent.browser.get(silent.url)
    expect(new URL(back.url).searchParams.get('error')).toBe('login_required')
  })

  it('goes on in several tabs side by side', async () => {
    const system = await startLoginSystem()
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

  it('survives a restart in the middle, before and after the presentation', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'idp-'))
    const system = await startLoginSystem((config) => ({
      ...config,
      databaseUrl: `sqlite:${join(folder, 'idp.sqlite')}`,
    }))
    const login = await system.beginLogin()
    const page = await login.browser.get(login.url)
    await system.restartIdp()
    await system.present(linkOf(page))
    await system.restartIdp()
    const back = await login.browser.get(page.url)
    await system.restartIdp()
    expect((await login.finish(back.url)).claims()?.sub).toBe(expectedClaims.sub)
  })
})

describe('the id_token', () => {
  // @row 1.endpoints/credential-idp.7 1.endpoints/credential-idp.11
  it('O09, O15 is signed by the one key of the key set, which is public', async () => {
    const system = await startLoginSystem()
    const { finish } = await system.logIn()
    const { id_token: idToken = '' } = await finish()
    const { keys } = (await (await fetch(`${system.baseUrl}/accounts/jwks`)).json()) as {
      keys: Record<string, unknown>[]
    }
    expect(keys).toHaveLength(1)
    expect(keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' })
    expect(keys[0]).not.toHaveProperty('d')
    expect(decodeProtectedHeader(idToken)).toMatchObject({ alg: 'RS256', kid: keys[0]?.kid })
  })
})
