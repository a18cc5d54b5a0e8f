import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { parseJws } from '#core/crypto/jws.ts'
import { collectCredential, createWalletWithCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin, completeLogin, logIn, obtainCode } from '#scenarios/fixtures/log-in.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { askUserInfo, requestTokens } from '#scenarios/fixtures/relying-party.ts'
import {
  cite,
  defineScenario,
  type Scenario,
  type ScenarioAlgorithm,
} from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'

const refreshToken = defineScenario({
  id: 'login/refresh-token',
  title: 'A refresh token yields new tokens for the same login',
  algorithms: ['ES256K'],
  description: `
The token response has a \`refresh_token\`, although discovery lists only \`authorization_code\`. It yields a
new access token and id_token **about the same subject with the same claims**, and the new access token
works at the userinfo endpoint. An unknown refresh token, and a request for more scopes than those of the
login, are rejected.`,
  references: cite('Profile: 1.endpoints/credential-idp', 'RFC 6749: 6', 'Assumptions: A-33'),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const credential = await step('A wallet holds a credential', () =>
      collectCredential(context, wallet),
    )
    const refreshToken = await step('A login yields a refresh token', async () => {
      const tokens = expectJson(
        await requestTokens(context, await obtainCode(context, wallet)),
        200,
      )
      expectIncludes('the response', tokens, { token_type: 'Bearer', expires_in: 3600 })
      return String(tokens.refresh_token)
    })
    const refresh = (more: Readonly<Record<string, string>> = {}) =>
      requestTokens(context, {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        ...more,
      })
    await step('It cannot request more scopes than the login', async () => {
      const answer = expectJson(await refresh({ scope: 'openid openid-vp-lear email' }), 400)
      expectEqual('the error', answer.error, 'invalid_scope')
    })
    await step('An unknown refresh token is rejected', async () => {
      const answer = expectJson(await refresh({ refresh_token: 'unknown' }), 400)
      expectEqual('the error', answer.error, 'invalid_grant')
    })
    await step('It yields new tokens with the same claims', async () => {
      const tokens = expectJson(await refresh(), 200)
      const idToken = parseJws(String(tokens.id_token))
      expectTrue('there is an id_token', idToken.ok)
      const expected = expectedClaims(credential)
      expectIncludes('the id_token', idToken.ok ? idToken.payload : {}, expected)
      const userInfo = await askUserInfo(context, String(tokens.access_token))
      expectIncludes('userinfo', expectJson(userInfo, 200), expected)
    })
  },
})

const userinfo = defineScenario({
  id: 'login/userinfo',
  title: 'The userinfo endpoint accepts only access tokens of the IDP',
  algorithms: ['EdDSA'],
  description: `
A relying party's access token is a JWT for the IDP itself, signed with a key of its published set. With it
the relying party gets the claims about the subject of the id_token.

It then tries other tokens: the **id_token**, which has the same claims but another purpose; the refresh
token; an access token with one changed character; a Bearer token of the token issuer; the right token in
the URL, which would end up in logs; and no token.

Each results in a 401 with a Bearer challenge and without claims.`,
  references: cite(
    'Profile: 1.authentication.4',
    'Profile: 1.endpoints/credential-idp',
    'RFC 6750: 3',
    'Assumptions: A-32',
  ),

  async run(context) {
    const { step, environment, httpAs, control } = context
    const wallet = await createWalletWithCredential(context)
    const {
      accessToken,
      idToken,
      refreshToken = '',
      idTokenClaims,
    } = await step('A relying party has tokens', () => logIn(context, wallet))
    await step('The access token is a JWT that the published keys verify', async () => {
      const { keys } = expectJson(
        await httpAs('relying-party').request(`${environment.idpBaseUrl}/accounts/jwks`),
        200,
      ) as { keys: (JsonWebKey & { kid: string })[] }
      const jws = parseJws(accessToken)
      const { header, payload } = jws.ok ? jws : { header: {}, payload: {} }
      expectIncludes('its header', { ...header }, { alg: 'RS256' })
      const { idpBaseUrl: iss, oidcClient } = environment
      const { clientId: client_id } = oidcClient
      expectIncludes('its claims', { ...payload }, { iss, aud: iss, client_id })
      const jwk = expectPresent(
        'its key',
        keys.find(({ kid }) => 'kid' in header && kid === header.kid),
      )
      const [signed = '', signature = ''] = accessToken.split(/\.(?=[^.]+$)/)
      const key = createPublicKey({ key: jwk, format: 'jwk' })
      const bytes = Buffer.from(signature, 'base64url')
      const verifies = verify('sha256', Buffer.from(signed), key, bytes)
      expectTrue('the signature verifies', verifies)
    })
    await step('With the access token it gets the claims', async () => {
      expectEqual(
        'sub',
        expectJson(await askUserInfo(context, accessToken), 200).sub,
        idTokenClaims.sub,
      )
    })
    const expectRefused = (answer: HttpAnswer) => {
      expectStatus(answer, 401)
      expectMatch('the challenge', answer.headers.get('www-authenticate'), /^Bearer/i)
      expectTrue(
        'it does not contain claims',
        !answer.text.includes(String(idTokenClaims.sub)),
        answer.text,
      )
    }
    await step('With any other token it is rejected', async () => {
      const { organizationIdentifier } = environment.organizations[0] ?? {}
      const bearerToken = await control.createBearerToken({
        organizationIdentifier: organizationIdentifier ?? '',
      })
      const changed = accessToken.replace(/.(?=.{20}$)/, (old) => (old === 'A' ? 'B' : 'A'))
      for (const token of [idToken, refreshToken, changed, bearerToken, 'unknown']) {
        expectRefused(await askUserInfo(context, token))
      }
    })
    await step('Without a token, or with it in the URL, it is rejected too', async () => {
      expectRefused(await askUserInfo(context, undefined))
      const address = `${environment.idpBaseUrl}/accounts/userinfo?access_token=${accessToken}`
      expectRefused(await httpAs('relying-party').request(address))
    })
  },
})

interface ScopeCase {
  readonly name: string
  readonly scope: string
  /** The claims of the id_token about the holder, in addition to `sub`. */
  readonly claims: readonly string[]
  readonly algorithm: ScenarioAlgorithm
  readonly why: string
}

const names = ['given_name', 'family_name', 'name', 'preferred_username']

const cases: readonly ScopeCase[] = [
  {
    name: 'openid',
    scope: 'openid',
    claims: [],
    algorithm: 'EdDSA',
    why: 'With only `openid` a relying party can recognize the person, but receives no other information.',
  },
  {
    name: 'profile',
    scope: 'openid profile',
    claims: names,
    algorithm: 'ES256K',
    why: 'The profile has the names. The claim `email` is not in it: it has a separate scope.',
  },
  {
    name: 'email',
    scope: 'openid email',
    claims: ['email'],
    algorithm: 'EdDSA',
    why: 'There is no `email_verified`, because the address was not verified.',
  },
  {
    name: 'openid-vp-lear',
    scope: 'openid openid-vp-lear',
    claims: [
      'email',
      ...names,
      'organization',
      'organization_identifier',
      'user_identifier',
      'power',
    ],
    algorithm: 'EdDSA',
    why: 'Only this scope includes all claims, and `power` is a **string** with the serialized list.',
  },
]

function scenarioFor({ name, scope, claims, algorithm, why }: ScopeCase): Scenario {
  return defineScenario({
    id: `login/scope-${name}`,
    title: `A login with scope ${name} yields only the claims of that scope`,
    algorithms: [algorithm],
    description: `
A relying party requests \`${scope}\` and a holder logs in. The id_token has
${claims.length === 0 ? 'only the claim `sub`' : `\`sub\`, ${claims.map((claim) => `\`${claim}\``).join(', ')}`},
with the values of the credential, and none of the other claims. The userinfo endpoint returns the
same.

${why}`,
    references: cite(
      'Profile: 1.resources-and-their-fields/idp-id-token-claims',
      'OpenID Connect Core 1.0: 5.4',
      'Assumptions: A-42',
    ),

    async run(context) {
      const { step } = context
      const wallet = context.createWallet()
      const credential = await step('A wallet holds a credential', () =>
        collectCredential(context, wallet),
      )
      const { relyingParty, login } = await step(`A relying party asks for ${scope}`, () =>
        beginLogin(context, scope),
      )
      const tokens = await step('The holder logs in', async () => {
        await presentCredential(context, wallet, login.link)
        return completeLogin({ login, relyingParty })
      })
      const all = expectedClaims(credential)
      const sub = String(all.sub)
      const expected = Object.fromEntries(
        Object.entries(all).filter(([claim]) => claim === 'sub' || claims.includes(claim)),
      )
      const expectClaims = (what: string, found: Readonly<Record<string, unknown>>) => {
        expectIncludes(what, found, expected)
        const ofHolder = [...Object.keys(all), 'email_verified'].filter((claim) => claim in found)
        expectEqual(`the holder's claims in ${what}`, ofHolder.sort(), Object.keys(expected).sort())
      }
      await step('The id_token has only the claims of the scope', () => {
        expectClaims('the id_token', tokens.idTokenClaims)
        const { power } = tokens.idTokenClaims
        if (claims.includes('power')) expectMatch('power', power, /^\[\{.*\}\]$/)
      })
      await step('The userinfo endpoint returns the same', async () => {
        expectClaims('userinfo', await relyingParty.readUserInfo(tokens.accessToken, sub))
      })
    },
  })
}

export const scenarios = [refreshToken, userinfo, ...cases.map(scenarioFor)]
