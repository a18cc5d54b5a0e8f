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
  title: 'Codes and refresh tokens of one relying party are invalid for another',
  algorithms: ['ES256K'],
  description: `
An administrator registers a second relying party in the panel. It is a correct client of the IDP, but it
obtains a **code** and a **refresh token** of the first one. Both result in \`invalid_grant\`, with its
own client id and with that of the first one, which does not match its secret.

The second relying party's own login works.`,
  references: cite(
    'Profile: 1.endpoints/credential-idp',
    'Profile: 1.errors.8',
    'RFC 6749: 4.1.3, 6',
  ),

  async run(context) {
    const { step, environment } = context
    const { clientId, redirectUri } = environment.oidcClient
    const wallet = context.createWallet()
    const other = await step('An administrator registers a second relying party', registerClient)
    await step('A wallet holds a credential', () => collectCredential(context, wallet))

    await step('The code of the first one is invalid for the second one', async () => {
      const form = await obtainCode(context, wallet)
      const own = { ...form, client_id: other.clientId }
      const answer = expectJson(await requestTokens(context, own, other), 400)
      expectIncludes('the response', answer, { error: 'invalid_grant' })
      const again = { ...own, redirect_uri: other.redirectUri }
      const second = expectJson(await requestTokens(context, again, other), 400)
      expectIncludes('the response', second, { error: 'invalid_grant' })
    })
    await step('Its secret does not match the client id of the first one', async () => {
      const form = await obtainCode(context, wallet)
      const { clientSecret } = other
      const answer = await requestTokens(context, form, { clientId, clientSecret })
      expectIncludes('the response', expectJson(answer, 401), { error: 'invalid_client' })
    })
    await step('The refresh token of the first one is invalid for it too', async () => {
      const form = await obtainCode(context, wallet, { redirect_uri: redirectUri })
      const tokens = expectJson(await requestTokens(context, form), 200)
      const refreshToken = String(expectPresent('the refresh token', tokens.refresh_token))
      const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken }
      const answer = expectJson(await requestTokens(context, refresh, other), 400)
      expectIncludes('the response', answer, { error: 'invalid_grant' })
    })
    await step('Its own login works', async () => {
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
  title: 'A second use of a code revokes the tokens of the first use',
  algorithms: ['EdDSA'],
  description: `
A code works once. The second use results in \`invalid_grant\`. As one of the two users was not the client,
the tokens of the first use are **revoked**: the access token and the refresh token no longer work.`,
  references: cite('RFC 6749: 4.1.2', 'Profile: 1.endpoints/credential-idp'),

  async run(context) {
    const { step } = context
    const wallet = await createWalletWithCredential(context)
    const form = await step('A login yields a code', () => obtainCode(context, wallet))
    const tokens = await step('The code yields tokens that work', async () => {
      const answer = await requestTokens(context, form)
      const { access_token: accessToken, refresh_token: refreshToken } = expectJson(answer, 200)
      expectStatus(await askUserInfo(context, String(accessToken)), 200)
      return { accessToken: String(accessToken), refreshToken: String(refreshToken) }
    })
    await step('The second use of the code is rejected', async () => {
      const answer = expectJson(await requestTokens(context, form), 400)
      expectIncludes('the response', answer, { error: 'invalid_grant' })
    })
    await step('The tokens of the first use no longer work', async () => {
      expectStatus(await askUserInfo(context, tokens.accessToken), 401)
      const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken }
      const answer = expectJson(await requestTokens(context, refresh), 400)
      expectIncludes('the response', answer, { error: 'invalid_grant' })
    })
  },
})

const pkce = defineScenario({
  id: 'login/pkce',
  title: 'A code that was requested with PKCE is useless without the verifier',
  algorithms: ['EdDSA'],
  description: `
An attacker who steals a code on its way through the browser cannot use it: the token endpoint requires the
\`code_verifier\` of the challenge. A **wrong** or **missing** verifier results in \`invalid_grant\`; the
correct one yields the tokens.

The method \`plain\`, which would reveal the verifier to the attacker, is rejected immediately.`,
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

    await step('With a wrong verifier the code is rejected', async () => {
      const form = await obtainCode(context, wallet, pkce)
      const answer = await requestTokens(context, { ...form, code_verifier: verifierOf('thief') })
      expectIncludes('the response', expectJson(answer, 400), { error: 'invalid_grant' })
    })
    await step('Without a verifier it is rejected', async () => {
      const answer = await requestTokens(context, await obtainCode(context, wallet, pkce))
      expectIncludes('the response', expectJson(answer, 400), { error: 'invalid_grant' })
    })
    await step('With the correct verifier it yields the tokens', async () => {
      const form = await obtainCode(context, wallet, pkce)
      const answer = await requestTokens(context, { ...form, code_verifier: codeVerifier })
      expectPresent('the id_token', expectJson(answer, 200).id_token)
    })
    await step('The method plain is rejected', async () => {
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
  title: 'The token endpoint requires client authentication',
  algorithms: ['ES256K'],
  description: `
The token endpoint requires the client's credentials, as HTTP Basic or in the body. A **wrong secret** and
an **unknown client** are 401 \`invalid_client\`, with a challenge if the client used Basic. A client
without a secret is rejected too.

A \`redirect_uri\` that differs from the authorization request is \`invalid_grant\`, even with the right
secret. None of these responses contains a token. Afterwards the correct request works, with the secret
in the body.`,
  references: cite('Profile: 1.errors.8', 'Profile: 1.authentication.4', 'RFC 6749: 2.3.1, 5.2'),

  async run(context) {
    const { step, environment, httpAs } = context
    const { clientId, clientSecret, redirectUri } = environment.oidcClient
    const wallet = await createWalletWithCredential(context)
    const form = await step('A login yields a code', () => obtainCode(context, wallet))
    const unauthenticated = (more: Record<string, string>) =>
      httpAs('relying-party').request(`${environment.idpBaseUrl}/accounts/token`, {
        form: { ...form, ...more },
      })

    await step('A wrong secret is 401', async () => {
      const answer = await requestTokens(context, form, { clientId, clientSecret: 'wrong' })
      expectIncludes('the response', expectJson(answer, 401), { error: 'invalid_client' })
      expectMatch('the challenge', answer.headers.get('www-authenticate'), /^Basic/i)
      const inBody = expectJson(await unauthenticated({ client_secret: 'wrong' }), 401)
      expectIncludes('the response', inBody, { error: 'invalid_client' })
    })
    await step('So is an unknown client', async () => {
      const unknownClient = { clientId: `nobody-${context.uniqueName}`, clientSecret }
      const own = { ...form, client_id: unknownClient.clientId }
      const answer = expectJson(await requestTokens(context, own, unknownClient), 401)
      expectIncludes('the response', answer, { error: 'invalid_client' })
    })
    await step('Without a secret the request is rejected', async () => {
      const { status, json } = await unauthenticated({})
      expectTrue('the status is 400 or 401', [400, 401].includes(status), status)
      expectTrue('there is no token', !JSON.stringify(json).includes('access_token'), json)
    })
    await step('A different redirect_uri is rejected', async () => {
      const elsewhere = { ...(await obtainCode(context, wallet)), redirect_uri: `${redirectUri}/` }
      const answer = expectJson(await requestTokens(context, elsewhere), 400)
      expectIncludes('the response', answer, { error: 'invalid_grant' })
    })
    await step('The correct request works, with the secret in the body', async () => {
      const fresh = await obtainCode(context, wallet)
      const tokens = expectJson(
        await httpAs('relying-party').request(`${environment.idpBaseUrl}/accounts/token`, {
          form: { ...fresh, client_secret: clientSecret },
        }),
        200,
      )
      expectIncludes('the response', tokens, { token_type: 'Bearer' })
    })
  },
})

export const scenarios = [codeOfAnotherClient, codeUsedTwice, pkce, clientAuthentication]
