import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { firstOrganization } from '#scenarios/fixtures/organizations.ts'
import { revokeCredential } from '#scenarios/fixtures/portal.ts'
import { askUserInfo, requestTokens } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectPresent,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'revocation/tokens-live-on',
  title: 'A revocation ends the refresh token; the access token lives until it expires',
  category: 'Revocation',
  algorithms: ['EdDSA'],
  description: `
Somebody has logged in; then the credential is revoked. The documents end **the record and the next
login**, and say of tokens only how long they live (\`expires_in\`, 3600 in the sample). So the access
token still opens the userinfo endpoint, with the claims of the login that it is from. The refresh
token gives **no new one**: the IDP asks for the credential's status each time. A new login **fails**
too.`,
  references: [
    { document: 'Document 1', section: 'Limits, row 2' },
    { document: 'Document 1', section: 'States and transitions, rows 3, 7' },
    { document: 'Assumptions', section: 'A-32, A-33, A-55' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const { organizationIdentifier } = firstOrganization(context)
    const { credentialId } = await step('A wallet holds a credential', () =>
      collectCredential(context, wallet),
    )
    const tokens = await step('Its holder logs in', async () => {
      const received = await logIn(context, wallet)
      expectEqual('expires_in', received.expiresIn, 3600)
      return received
    })
    await step('The credential is revoked', () => revokeCredential(context, credentialId))
    await step('The access token still works', async () => {
      const answer = await askUserInfo(context, tokens.accessToken)
      const { sub } = tokens.idTokenClaims
      expectIncludes('userinfo', expectJson(answer, 200), {
        sub,
        organization_identifier: organizationIdentifier,
      })
    })
    await step('The refresh token does not', async () => {
      const answer = await requestTokens(context, {
        grant_type: 'refresh_token',
        refresh_token: expectPresent('the refresh token', tokens.refreshToken),
      })
      expectEqual('the error', expectJson(answer, 400).error, 'invalid_grant')
    })
    await step('A new login fails', () => expectLoginRefused(context, wallet, 'credential.status'))
  },
})
