import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { registerClient } from '#scenarios/fixtures/admin-panel.ts'
import { obtainCode } from '#scenarios/fixtures/log-in.ts'
import { requestTokens } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectIncludes, expectJson, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/code-of-another-client',
  title: 'What was given to one relying party is worth nothing to another',
  category: 'Login',
  algorithms: ['ES256K'],
  description: `
An administrator registers a second relying party in the panel. It is an honest client of the IDP in
every way, and gets hold of a **code** and a **refresh token** that were given to the first one: both
are \`invalid_grant\` to it, with its own name and with the first one's, which its secret doesn't fit.

A login of its own works.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential IDP, POST /accounts/token' },
    { document: 'Document 1', section: 'Errors, row 8' },
    { document: 'RFC 6749', section: '4.1.3, 6' },
  ],

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
