import { parseJws } from '#core/crypto/jws.ts'
import { createWalletWithCredential } from '#scenarios/fixtures/accept-offer.ts'
import { openAdminPanel } from '#scenarios/fixtures/admin-panel.ts'
import { authorizationUrlOf, beginLogin, completeLogin, logIn } from '#scenarios/fixtures/log-in.ts'
import { openLoginPage } from '#scenarios/fixtures/login-page.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { createRelyingParty, requestTokens } from '#scenarios/fixtures/relying-party.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'

const discovery = defineScenario({
  id: 'login/discovery',
  title: 'The discovery document matches the profile, and each address in it responds',
  algorithms: ['EdDSA'],
  description: `
A relying party reads everything from the discovery document: the scopes, the only response type, the only
grant, the only algorithm of id_tokens. Each address is under the IDP's own base address regardless of
the host in the request, and **responds**: the key set contains only public RSA keys, and the other
endpoints reject an empty request as their standards require.

There is **no** \`end_session_endpoint\`: every login requires a new presentation, so a logout is not
necessary.`,
  references: cite('Profile: 1.endpoints/credential-idp', 'OpenID Connect Discovery 1.0: 3'),

  async run(context) {
    const { step, environment, httpAs } = context
    const { idpBaseUrl, oidcClient } = environment
    const client = httpAs('relying-party')

    const document = await step('The discovery document has the documented members', async () => {
      const answer = await client.request(`${idpBaseUrl}/.well-known/openid-configuration`, {
        headers: { 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-proto': 'https' },
      })
      const found = expectJson(answer, 200)
      expectIncludes('the discovery document', found, {
        issuer: idpBaseUrl,
        authorization_endpoint: `${idpBaseUrl}/accounts/authorize`,
        token_endpoint: `${idpBaseUrl}/accounts/token`,
        userinfo_endpoint: `${idpBaseUrl}/accounts/userinfo`,
        jwks_uri: `${idpBaseUrl}/accounts/jwks`,
        scopes_supported: ['openid', 'profile', 'email', 'openid-vp-lear'],
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
      expectTrue('there is no end_session_endpoint', !('end_session_endpoint' in found))
      return found
    })
    await step('A client library accepts it', () =>
      createRelyingParty(context, {
        caller: 'relying-party',
        issuerUrl: idpBaseUrl,
        client: oidcClient,
        scope: 'openid',
      }),
    )
    await step('The key set contains only public RSA keys', async () => {
      const { keys } = expectJson(await client.request(String(document.jwks_uri)), 200)
      expectTrue('there are keys', Array.isArray(keys) && keys.length > 0, keys)
      for (const key of keys as Record<string, unknown>[]) {
        expectIncludes('a key', key, { kty: 'RSA', alg: 'RS256', use: 'sig' })
        const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].filter((name) => name in key)
        expectEqual('private members of a key', secret, [])
      }
    })
    await step('The other endpoints answer an empty request', async () => {
      expectStatus(await client.request(String(document.authorization_endpoint)), 400)
      const token = await client.request(String(document.token_endpoint), { form: { a: 'b' } })
      expectTrue('the token endpoint rejects it', [400, 401].includes(token.status), token.status)
      const userinfo = await client.request(String(document.userinfo_endpoint))
      expectStatus(userinfo, 401)
      const challenge = userinfo.headers.get('www-authenticate') ?? ''
      expectTrue('userinfo requires a Bearer token', /^Bearer/i.test(challenge), challenge)
    })
  },
})

const kidOf = (jwt: string) => {
  const jws = parseJws(jwt)
  return jws.ok ? jws.header.kid : undefined
}

const rotatedKeys = defineScenario({
  id: 'login/rotated-keys',
  title: 'The IDP rotates its signing key during a login without interrupting it',
  algorithms: ['ES256K'],
  exclusive: true,
  description: `
One login is complete, another is in progress, when an administrator creates a **new signing key**.

- The second login ends with tokens of the new key, which a relying party finds in the key set.
- The old key **stays in the key set**, so that the tokens it signed verify until they expire: the
  access token of the first login still works at the userinfo endpoint.`,
  references: cite('Profile: 1.endpoints/credential-idp', 'OpenID Connect Core 1.0: 10.1.1'),

  async run(context) {
    const { step, environment, httpAs } = context
    const wallet = await createWalletWithCredential(context)
    const before = await step('A login is complete', () => logIn(context, wallet))
    const { relyingParty, login } = await step('Another one is in progress', beginLogin)
    await step('An administrator creates a new signing key', async () => {
      const panel = await openAdminPanel(context)
      const page = await panel.open('/keys')
      const kid = page.text.match(/name="kid" value="([^"]+)"/)?.[1]
      await panel.submit(page, '/keys/rotate', { kid: expectPresent('the current kid', kid) })
    })
    const after = await step('The login ends with tokens of the new key', async () => {
      await presentCredential(context, wallet, login.link)
      const tokens = await completeLogin({ login, relyingParty })
      expectTrue('the key is different', kidOf(tokens.idToken) !== kidOf(before.idToken))
      return tokens
    })
    await step('The key set contains both', async () => {
      const answer = await httpAs('relying-party').request(
        `${environment.idpBaseUrl}/accounts/jwks`,
      )
      const { keys } = expectJson(answer, 200) as { keys: { kid: string }[] }
      const kids = keys.map(({ kid }) => kid)
      for (const token of [before.idToken, after.idToken]) {
        expectTrue('its key is in the set', kids.includes(String(kidOf(token))), kids)
      }
    })
    await step('Tokens of the old key still work', async () => {
      const { sub } = before.idTokenClaims
      const claims = await relyingParty.readUserInfo(before.accessToken, String(sub))
      expectEqual('sub', claims.sub, sub)
    })
  },
})

const noOpenRedirect = defineScenario({
  id: 'login/no-open-redirect',
  title: 'An unknown client or redirect_uri never causes a redirect',
  algorithms: ['EdDSA'],
  description: `
An attacker sends users to the IDP with a forged link. If the \`client_id\` is unknown, or the
\`redirect_uri\` is not exactly a registered one, the response is a **page** that says so and never a
redirect: not to the wrong address, and not to the registered one with an error.

A longer address, another scheme, a query, a fragment or a user makes it a different address.`,
  references: cite(
    'Profile: 1.endpoints/credential-idp',
    'RFC 6749: 4.1.2.1, 10.15',
    'RFC 9700: 4.1.3',
  ),

  async run(context) {
    const { step, environment, httpAs } = context
    const { redirectUri, clientId } = environment.oidcClient
    const expectPage = async (parameters: Readonly<Record<string, string | undefined>>) => {
      const browser = createHttpBrowser([], {}, httpAs('browser').fetch)
      const { href } = authorizationUrlOf(context, parameters)
      const { status, visited, text, headers } = await browser.get(href)
      const what = JSON.stringify(parameters)
      expectEqual(`the status for ${what}`, status, 400)
      expectEqual(`the address for ${what}`, visited, [href])
      expectEqual('the location', headers.get('location'), null)
      expectMatch('the page', text, /<!doctype html>/i)
      expectTrue('the page does not link to the attacker', !/href="https?:\/\/evil/.test(text))
    }
    await step('An unknown client gets a page', async () => {
      await expectPage({ client_id: `nobody-${context.uniqueName}` })
      await expectPage({ client_id: undefined })
    })
    await step('An unregistered redirect_uri gets a page', async () => {
      await expectPage({ redirect_uri: 'https://evil.example/callback' })
      await expectPage({ redirect_uri: undefined })
    })
    await step('An address similar to the registered one gets a page', async () => {
      const registered = new URL(redirectUri)
      for (const similar of [
        `${redirectUri}/`,
        `${redirectUri}/../evil`,
        `${redirectUri}?next=https://evil.example`,
        `${redirectUri}#fragment`,
        redirectUri.replace('://', '://evil.example@'),
        redirectUri.replace(registered.host, `${registered.host}.evil.example`),
        redirectUri.replace(/^http:/, 'https:'),
        redirectUri.toUpperCase(),
      ]) {
        await expectPage({ redirect_uri: similar })
      }
    })
    await step('The registered one leads to the page with a code', async () => {
      const browser = createHttpBrowser([redirectUri], {}, httpAs('browser').fetch)
      const { status } = await browser.get(authorizationUrlOf(context).href)
      expectEqual(`the status for ${clientId}`, status, 200)
    })
  },
})

/** Parameters that the IDP rejects, with the error for the relying party. */
const refused = [
  [{ response_type: 'token' }, 'unsupported_response_type'],
  [{ response_type: 'id_token', nonce: 'n' }, 'unsupported_response_type'],
  [{ response_type: 'code id_token', nonce: 'n' }, 'unsupported_response_type'],
  [{ response_type: undefined }, 'invalid_request'],
  [{ scope: undefined }, 'invalid_request'],
  [{ prompt: 'none' }, 'login_required'],
] as const

const responseType = defineScenario({
  id: 'login/response-type',
  title: 'Tokens are never sent through the browser',
  algorithms: ['ES256K'],
  description: `
\`response_type\` must be \`code\`. If a client requests a token or an id_token in the address, omits the
response type or the scope, or requests a login without interaction, the IDP returns the **error** of
the protocol and the client's \`state\`, and neither a code nor a token.`,
  references: cite(
    'Profile: 1.endpoints/credential-idp',
    'RFC 6749: 4.1.2.1',
    'OpenID Connect Core 1.0: 3.1.2.6',
  ),

  async run(context) {
    const { step, environment, httpAs } = context
    const { redirectUri } = environment.oidcClient
    const state = `state-${context.uniqueName}`
    for (const [parameters, error] of refused) {
      const [[name, value]] = Object.entries(parameters) as [[string, string | undefined]]
      await step(`${name} ${value ?? 'left out'} is answered with ${error}`, async () => {
        const browser = createHttpBrowser([redirectUri], {}, httpAs('browser').fetch)
        const page = await browser.get(authorizationUrlOf(context, { ...parameters, state }).href)
        expectTrue('the browser is back', page.url.startsWith(redirectUri), page.url)
        const { search, hash } = new URL(page.url)
        // OAuth 2.0 Multiple Response Types, 5: if a token was requested, errors are in the fragment too.
        const answer = new URLSearchParams(search || hash.slice(1))
        expectEqual('error', answer.get('error'), error)
        expectEqual('state', answer.get('state'), state)
        const given = ['code', 'access_token', 'id_token'].filter((each) => answer.has(each))
        expectEqual('the other parameters', given, [])
      })
    }
  },
})

const stateAndNonce = defineScenario({
  id: 'login/state-and-nonce',
  title: 'state and nonce are returned unchanged, and never invented',
  algorithms: ['ES256K'],
  description: `
A relying party protects itself with \`state\` and \`nonce\`, which may contain any character. The browser
returns with the **same state** and the IDP's \`iss\`. The id_token has the **same nonce** and correct
values of \`iss\`, \`aud\`, \`exp\` and \`iat\`.

If the relying party sends neither, the browser returns without a state and the id_token has no nonce.`,
  references: cite(
    'Profile: 1.endpoints/credential-idp',
    'OpenID Connect Core 1.0: 2, 3.1.3.7',
    'RFC 9207: 2',
  ),

  async run(context) {
    const { step, environment, now } = context
    const { oidcClient, idpBaseUrl } = environment
    const wallet = await createWalletWithCredential(context)

    const logIn = async (parameters: Readonly<Record<string, string | undefined>>) => {
      const url = authorizationUrlOf(context, parameters)
      const login = await openLoginPage(context, url, oidcClient.redirectUri)
      await presentCredential(context, wallet, login.link)
      await login.awaitEnd('SUCCESS')
      const { searchParams } = await login.followRedirect()
      const answer = await requestTokens(context, {
        grant_type: 'authorization_code',
        code: expectPresent('the code', searchParams.get('code')),
        redirect_uri: oidcClient.redirectUri,
        client_id: oidcClient.clientId,
      })
      const jws = parseJws(String(expectJson(answer, 200).id_token))
      return { searchParams, idToken: jws.ok ? jws.payload : {} }
    }

    await step('Both are returned unchanged', async () => {
      const [state, nonce] = [`a&b=c %20 "é" ${context.uniqueName}`, `n+/= ${context.uniqueName}`]
      const { searchParams, idToken } = await logIn({ state, nonce })
      expectEqual('state', searchParams.get('state'), state)
      expectEqual('iss', searchParams.get('iss'), idpBaseUrl)
      expectIncludes('the id_token', idToken, { nonce, iss: idpBaseUrl, aud: oidcClient.clientId })
      const { exp, iat } = idToken as { exp: number; iat: number }
      expectTrue('iat is now', Math.abs(now() - iat) <= 60, iat)
      expectTrue('exp is later', exp > now(), exp)
    })
    await step('If they are missing, none is invented', async () => {
      const { searchParams, idToken } = await logIn({ state: undefined })
      expectEqual('state', searchParams.get('state'), null)
      expectTrue('the id_token has no nonce', !('nonce' in idToken), idToken.nonce)
    })
  },
})

export const scenarios = [discovery, rotatedKeys, noOpenRedirect, responseType, stateAndNonce]
