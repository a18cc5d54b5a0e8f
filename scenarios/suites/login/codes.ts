import { createHash } from 'node:crypto'
import { collectCredential, createWalletWithCredential } from '#scenarios/fixtures/accept-offer.ts'
import { registerClient } from '#scenarios/fixtures/admin-panel.ts'
import { authorizationUrlOf, obtainCode } from '#scenarios/fixtures/log-in.ts'
import { askUserInfo, requestTokens } from '#scenarios/fixtures/relying-party.ts'
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

const codeOfAnotherClient = defineScenario({
  id: 'login/code-of-another-client',
  title: 'What was given to one relying party is worth nothing to another',
  algorithms: ['ES256K'],
  description: `
An administrator registers a second relying party in the panel. It is an honest client of the IDP in
every way, and gets hold of a **code** and a **refresh token** that were given to the first one: both
are \`invalid_grant\` to it, with its own name and with the first one's, which its secret doesn't fit.

A login of its own works.`,
  references: cite(
    'Profile: 1.endpoints/credential-idp',
    'Profile: 1.errors.8',
    'RFC 6749: 4.1.3, 6',
  ),

  async run(context) {
    const { step, environment } = context
    const { clientId, redirectUri } = environment.oidcClient
    const wallet = context.createWallet()
    const other = await step('An administrator registers a second relying party', () =>
      registerClient(context, 'other'),
    )
    await step('A wallet holds a credential', () => collectCredential(context, wallet))

    await step("The first one's code is worth nothing to the second one", async () => {
      const form = await obtainCode(context, wallet)
      const own = { ...form, client_id: other.clientId }
      const answer = expectJson(await requestTokens(context, own, other), 400)
      expectIncludes('the answer', answer, { error: 'invalid_grant' })
      const again = { ...own, redirect_uri: other.redirectUri }
      const second = expectJson(await requestTokens(context, again, other), 400)
      expectIncludes('the answer', second, { error: 'invalid_grant' })
    })
    await step("Nor does its secret fit the first one's name", async () => {
      const form = await obtainCode(context, wallet)
      const { clientSecret } = other
      const answer = await requestTokens(context, form, { clientId, clientSecret })
      expectIncludes('the answer', expectJson(answer, 401), { error: 'invalid_client' })
    })
    await step("The first one's refresh token is worth nothing to it either", async () => {
      const form = await obtainCode(context, wallet, { redirect_uri: redirectUri })
      const tokens = expectJson(await requestTokens(context, form), 200)
      const refreshToken = String(expectPresent('the refresh token', tokens.refresh_token))
      const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken }
      const answer = expectJson(await requestTokens(context, refresh, other), 400)
      expectIncludes('the answer', answer, { error: 'invalid_grant' })
    })
    await step('A login of its own works', async () => {
      const form = await obtainCode(context, wallet, {}, other)
      expectPresent(
        'the id_token',
        expectJson(await requestTokens(context, form, other), 200).id_token,
      )
    })
  },
})

const codeUsedTwice = defineScenario({
  id: 'login/code-used-twice',
  title: 'A code that is used twice takes back what it gave',
  algorithms: ['EdDSA'],
  description: `
A code works once. Used again it is \`invalid_grant\`, and since one of both users was no client of the
IDP's, the tokens of the first use are **revoked**: the access token opens the userinfo endpoint no
more, and the refresh token gives nothing.`,
  references: cite('RFC 6749: 4.1.2', 'Profile: 1.endpoints/credential-idp'),

  async run(context) {
    const { step } = context
    const wallet = await createWalletWithCredential(context)
    const form = await step('A login gives a code', () => obtainCode(context, wallet))
    const tokens = await step('It gives tokens that work', async () => {
      const answer = await requestTokens(context, form)
      const { access_token: accessToken, refresh_token: refreshToken } = expectJson(answer, 200)
      expectStatus(await askUserInfo(context, String(accessToken)), 200)
      return { accessToken: String(accessToken), refreshToken: String(refreshToken) }
    })
    await step('Used again, the code gives nothing', async () => {
      const answer = expectJson(await requestTokens(context, form), 400)
      expectIncludes('the answer', answer, { error: 'invalid_grant' })
    })
    await step('The tokens of its first use are worth nothing any more', async () => {
      expectStatus(await askUserInfo(context, tokens.accessToken), 401)
      const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken }
      const answer = expectJson(await requestTokens(context, refresh), 400)
      expectIncludes('the answer', answer, { error: 'invalid_grant' })
    })
  },
})

const pkce = defineScenario({
  id: 'login/pkce',
  title: 'A code that was asked for with PKCE is worth nothing without the verifier',
  algorithms: ['EdDSA'],
  description: `
Whoever steals a code on its way through the browser can't use it: the token endpoint wants the
\`code_verifier\` behind the challenge. **Another one**, and **none**, are \`invalid_grant\`; the right
one gives the tokens.

The method \`plain\`, which would show the verifier to the thief, is refused at once.`,
  references: cite('RFC 7636: 4.6', 'RFC 9700: 2.1.1'),

  async run(context) {
    const { step, environment, httpAs, uniqueName } = context
    const wallet = context.createWallet()
    const verifierOf = (name: string) =>
      createHash('sha256').update(`${name} ${uniqueName}`).digest('base64url')
    const codeVerifier = verifierOf('verifier')
    const challenge = createHash('sha256').update(codeVerifier).digest('base64url')
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    await step('A wallet holds a credential', () => collectCredential(context, wallet))

    await step('With another verifier the code gives nothing', async () => {
      const form = await obtainCode(context, wallet, pkce)
      const answer = await requestTokens(context, { ...form, code_verifier: verifierOf('thief') })
      expectIncludes('the answer', expectJson(answer, 400), { error: 'invalid_grant' })
    })
    await step('Without a verifier it gives nothing', async () => {
      const answer = await requestTokens(context, await obtainCode(context, wallet, pkce))
      expectIncludes('the answer', expectJson(answer, 400), { error: 'invalid_grant' })
    })
    await step('With the right one it gives the tokens', async () => {
      const form = await obtainCode(context, wallet, pkce)
      const answer = await requestTokens(context, { ...form, code_verifier: codeVerifier })
      expectPresent('the id_token', expectJson(answer, 200).id_token)
    })
    await step('The method plain is refused', async () => {
      const plain = { code_challenge: codeVerifier, code_challenge_method: 'plain' }
      const { redirectUri } = environment.oidcClient
      const browser = createHttpBrowser([redirectUri], {}, httpAs('browser').fetch)
      const { status, url } = await browser.get(authorizationUrlOf(context, plain).href)
      expectEqual('the status at the relying party', status, 0)
      expectEqual('error', new URL(url).searchParams.get('error'), 'invalid_request')
    })
  },
})

const clientAuthentication = defineScenario({
  id: 'login/client-authentication',
  title: 'Tokens are for a client that proves who it is',
  algorithms: ['ES256K'],
  description: `
The token endpoint asks for the client's credentials, as HTTP Basic or in the body. A **wrong secret**
and an **unknown client** are 401 \`invalid_client\`, with a challenge where Basic was tried; a client
without any secret gets nothing either.

A \`redirect_uri\` that is not the one of the authorization request is \`invalid_grant\`, with the right
secret as well. In none of the answers is a token. What was right all along then works, with the
secret in the body.`,
  references: cite('Profile: 1.errors.8', 'Profile: 1.authentication.4', 'RFC 6749: 2.3.1, 5.2'),

  async run(context) {
    const { step, environment, httpAs } = context
    const { clientId, clientSecret, redirectUri } = environment.oidcClient
    const wallet = await createWalletWithCredential(context)
    const form = await step('A login gives a code', () => obtainCode(context, wallet))
    const unauthenticated = (more: Record<string, string>) =>
      httpAs('relying-party').request(`${environment.idpBaseUrl}/accounts/token`, {
        form: { ...form, ...more },
      })

    await step('A wrong secret is 401', async () => {
      const answer = await requestTokens(context, form, { clientId, clientSecret: 'wrong' })
      expectIncludes('the answer', expectJson(answer, 401), { error: 'invalid_client' })
      expectMatch('the challenge', answer.headers.get('www-authenticate'), /^Basic/i)
      const inBody = expectJson(await unauthenticated({ client_secret: 'wrong' }), 401)
      expectIncludes('the answer', inBody, { error: 'invalid_client' })
    })
    await step('So is an unknown client', async () => {
      const nobody = { clientId: `nobody-${context.uniqueName}`, clientSecret }
      const own = { ...form, client_id: nobody.clientId }
      const answer = expectJson(await requestTokens(context, own, nobody), 401)
      expectIncludes('the answer', answer, { error: 'invalid_client' })
    })
    await step('Without any secret there is nothing', async () => {
      const { status, json } = await unauthenticated({})
      expectTrue('the answer is 400 or 401', [400, 401].includes(status), status)
      expectTrue('there is no token', !JSON.stringify(json).includes('access_token'), json)
    })
    await step('Another redirect_uri is refused', async () => {
      const elsewhere = { ...(await obtainCode(context, wallet)), redirect_uri: `${redirectUri}/` }
      const answer = expectJson(await requestTokens(context, elsewhere), 400)
      expectIncludes('the answer', answer, { error: 'invalid_grant' })
    })
    await step('What was right all along works, with the secret in the body', async () => {
      const fresh = await obtainCode(context, wallet)
      const tokens = expectJson(
        await httpAs('relying-party').request(`${environment.idpBaseUrl}/accounts/token`, {
          form: { ...fresh, client_secret: clientSecret },
        }),
        200,
      )
      expectIncludes('the answer', tokens, { token_type: 'Bearer' })
    })
  },
})

export const scenarios = [codeOfAnotherClient, codeUsedTwice, pkce, clientAuthentication]
