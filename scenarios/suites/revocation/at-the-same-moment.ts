import { collectCredential } from '#scenarios/fixtures/collect-credential.ts'
import { firstOrganization } from '#scenarios/fixtures/first-organization.ts'
import { expectLoginFailure } from '#scenarios/fixtures/log-in.ts'
import { askToRevoke } from '#scenarios/fixtures/revoke-credential.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson, expectMatch } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'revocation/at-the-same-moment',
  title:
    'Of three revocations at the same moment one is confirmed, and a late notification undoes none',
  category: 'Revocation',
  algorithms: ['ES256K'],
  description: `
Three people of an organization revoke one credential at the same moment: **one** gets the confirmation,
the other ones 400, as it is revoked already.

Then the Connector's confirmation of the issuance arrives once more, late. It is taken with 200 and
the record stays \`revoked\`: the next login fails.`,
  references: [
    { document: 'Document 1', section: 'States and transitions' },
    { document: 'Document 1', section: 'Errors' },
    { document: 'Assumptions', section: 'A-19, A-22' },
  ],

  async run(context) {
    const { step, environment, httpAs, control } = context
    const { organizationIdentifier } = firstOrganization(context)
    const wallet = context.createWallet()
    const { credentialId } = await step('A wallet holds a credential', () =>
      collectCredential(context, wallet),
    )
    await step('Three people revoke it at the same moment', async () => {
      const token = await control.createBearerToken({ organizationIdentifier })
      const answers = await Promise.all(
        [1, 2, 3].map(() => askToRevoke(context, credentialId, token)),
      )
      const statuses = answers.map(({ status }) => status).sort()
      expectEqual('the answers', statuses, [200, 400, 400])
    })
    await step('The confirmation of its issuance arrives late, and changes nothing', async () => {
      const answer = await httpAs('connector').request(
        `${environment.issuerBaseUrl}/issuance/notifications`,
        {
          json: { credential_id: credentialId, event: 'issued' },
          headers: { 'x-api-key': environment.apiKeys.issuer },
        },
      )
      expectEqual('the status of the record', expectJson(answer, 200).status, 'revoked')
    })
    await step('The next login with it fails', async () => {
      expectMatch('the page', (await expectLoginFailure(context, wallet)).text, /was revoked/)
    })
  },
})
