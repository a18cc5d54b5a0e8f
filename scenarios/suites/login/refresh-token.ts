import { parseJws } from '#core/crypto/jws.ts'
import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { obtainCode } from '#scenarios/fixtures/log-in.ts'
import { askUserInfo, requestTokens } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/refresh-token',
  title: 'A refresh token gives new tokens about the same login',
  category: 'Login',
  algorithms: ['ES256K'],
  description: `
The token response has a \`refresh_token\`, although discovery lists \`authorization_code\` alone. It
gives a new access token and id_token **about the same subject with the same claims**, and the new
access token opens the userinfo endpoint. One that was never given, and one with more scopes than the
login had, give nothing.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential IDP, POST /accounts/token' },
    { document: 'RFC 6749', section: '6' },
    { document: 'Assumptions', section: 'A-33' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const credential = await step('A wallet holds a credential', () =>
      collectCredential(context, wallet),
    )
    const refreshToken = await step('A login gives a refresh token', async () => {
      const tokens = expectJson(
        await requestTokens(context, await obtainCode(context, wallet)),
        200,
      )
      expectIncludes('the answer', tokens, { token_type: 'Bearer', expires_in: 3600 })
      return String(tokens.refresh_token)
    })
    const refresh = (more: Readonly<Record<string, string>> = {}) =>
      requestTokens(context, {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        ...more,
      })
    await step('It gives no more than the login did', async () => {
      const answer = expectJson(await refresh({ scope: 'openid openid-vp-lear email' }), 400)
      expectEqual('the error', answer.error, 'invalid_scope')
    })
    await step('One that was never given gives nothing', async () => {
      const answer = expectJson(await refresh({ refresh_token: 'unknown' }), 400)
      expectEqual('the error', answer.error, 'invalid_grant')
    })
    await step('It gives new tokens with the same claims', async () => {
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
