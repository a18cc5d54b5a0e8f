import { parseJws } from '#core/crypto/jws.ts'
import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { authorizationUrlOf } from '#scenarios/fixtures/log-in.ts'
import { openLoginPage } from '#scenarios/fixtures/login-page.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { requestTokens } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/state-and-nonce',
  title: 'state and nonce come back as they were sent, and are not made up',
  category: 'Login',
  algorithms: ['ES256K'],
  description: `
A relying party protects itself with \`state\` and \`nonce\`, which may hold any character. The browser
brings the **same state**, beside the IDP's own \`iss\`; the id_token has the **same nonce**, and
\`iss\`, \`aud\`, \`exp\` and \`iat\` as they have to be.

Without them there is none: the browser brings no state, the id_token has no nonce.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential IDP, GET /accounts/authorize query' },
    { document: 'OpenID Connect Core 1.0', section: '2, 3.1.3.7' },
    { document: 'RFC 9207', section: '2' },
  ],

  async run(context) {
    const { step, environment, now } = context
    const { oidcClient, idpBaseUrl } = environment
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))

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

    await step('Both come back as they were sent', async () => {
      const [state, nonce] = [`a&b=c %20 "é" ${context.uniqueName}`, `n+/= ${context.uniqueName}`]
      const { searchParams, idToken } = await logIn({ state, nonce })
      expectEqual('state', searchParams.get('state'), state)
      expectEqual('iss', searchParams.get('iss'), idpBaseUrl)
      expectIncludes('the id_token', idToken, { nonce, iss: idpBaseUrl, aud: oidcClient.clientId })
      const { exp, iat } = idToken as { exp: number; iat: number }
      expectTrue('iat is now', Math.abs(now() - iat) <= 60, iat)
      expectTrue('exp is later', exp > now(), exp)
    })
    await step('Without them none is made up', async () => {
      const { searchParams, idToken } = await logIn({ state: undefined })
      expectEqual('state', searchParams.get('state'), null)
      expectTrue('the id_token has no nonce', !('nonce' in idToken), idToken.nonce)
    })
  },
})
