import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { firstOrganization } from '#scenarios/fixtures/organizations.ts'
import { whileBroken } from '#scenarios/fixtures/outages.ts'
import { askToRevoke, expectIssuerRefusal, revokeCredential } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'

export const scenario = defineScenario({
  id: 'failures/revocation-during-database-down',
  title: 'A revocation that could not be kept is not confirmed, and has not happened',
  category: 'Failures',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
A portal revokes a credential while the database can't be reached: 500, *internal error while
revoking*. Whoever is told 200 relies on it, so there must be none.

Afterwards the credential still logs in, as nothing was revoked; then the portal revokes it, is told
so, and the next login fails.`,
  references: [
    { document: 'Document 1', section: 'Errors, row 7' },
    { document: 'Document 1', section: 'States and transitions, row 3' },
  ],

  async run(context) {
    const { step, control } = context
    const { organizationIdentifier } = firstOrganization(context)
    const wallet = context.createWallet()
    const { credentialId } = await step('A wallet collects a credential', () =>
      collectCredential(context, wallet),
    )
    const bearerToken = await step('A portal gets a Bearer token', () =>
      control.createBearerToken({ organizationIdentifier }),
    )
    await step('It revokes the credential while the database is away', () =>
      whileBroken(context, 'database-down', async () => {
        expectIssuerRefusal(await askToRevoke(context, credentialId, bearerToken), 500)
      }),
    )
    await step('Nothing was revoked: the credential logs in', () => logIn(context, wallet))
    await step('The portal revokes it, and the next login fails', async () => {
      await revokeCredential(context, credentialId)
      await expectLoginRefused(context, wallet, 'credential.status')
    })
  },
})
