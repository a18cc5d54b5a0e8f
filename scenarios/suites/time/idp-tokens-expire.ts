import { expectedClaims, giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { logIn } from '#scenarios/fixtures/log-in.ts'
import { askUserInfo, requestTokens } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectIncludes,
  expectJson,
  expectPresent,
  expectStatus,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'time/idp-tokens-expire',
  title: 'An access token of the IDP ends, and the refresh token gives another one',
  category: 'Time',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
A login gives an access token for \`expires_in\` seconds, 3600 in the document's sample. Before its end
the userinfo endpoint tells the holder's claims, after it the token is worth nothing: 401.

The refresh token that came with it gives another access token, which tells the same claims.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential IDP' },
    { document: 'Document 1', section: 'Limits, row 2' },
    { document: 'Assumptions', section: 'A-32, A-33' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, control, environment } = context
    const wallet = context.createWallet()
    const credential = await step('A wallet holds a credential', () =>
      giveOwnCredential(context, environment.trustChain.issuer, wallet),
    )
    const tokens = await step('It logs its holder in', () => logIn(context, wallet))
    const lifetime = expectPresent('expires_in', tokens.expiresIn)
    const { sub, email } = expectedClaims(credential)
    try {
      await step('A minute before its end the access token tells the claims', async () => {
        await control.advanceClock(lifetime - 60)
        const claims = expectJson(await askUserInfo(context, tokens.accessToken), 200)
        expectIncludes('the claims', claims, { sub, email })
      })
      await step('A minute after it, it is worth nothing', async () => {
        await control.advanceClock(120)
        expectStatus(await askUserInfo(context, tokens.accessToken), 401)
      })
      await step('The refresh token gives another one', async () => {
        const answer = await requestTokens(context, {
          grant_type: 'refresh_token',
          refresh_token: expectPresent('the refresh token', tokens.refreshToken),
        })
        const renewed = expectJson(answer, 200)
        const claims = expectJson(await askUserInfo(context, String(renewed.access_token)), 200)
        expectIncludes('the claims', claims, { sub, email })
      })
    } finally {
      await control.resetClock()
    }
  },
})
