import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { obtainCode } from '#scenarios/fixtures/log-in.ts'
import { askUserInfo, requestTokens } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectIncludes, expectJson, expectStatus } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/code-used-twice',
  title: 'A code that is used twice takes back what it gave',
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
A code works once. Used again it is \`invalid_grant\`, and since one of both users was no client of the
IDP's, the tokens of the first use are **revoked**: the access token opens the userinfo endpoint no
more, and the refresh token gives nothing.`,
  references: [
    { document: 'RFC 6749', section: '4.1.2' },
    { document: 'Document 1', section: 'Endpoints, Credential IDP' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()

    await step('A wallet holds a credential', () => collectCredential(context, wallet))
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
