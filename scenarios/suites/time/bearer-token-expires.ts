import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { firstOrganization, powersToRequest } from '#scenarios/fixtures/organizations.ts'
import { askIssuer, ownOfferLink, revokeCredential } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectIncludes, expectJson } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'time/bearer-token-expires',
  title: 'A portal whose token expired between two requests has to get a new one',
  category: 'Time',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
With a Bearer token for two minutes a portal asks for a credential. Three minutes pass. The wallet
collects the credential all the same, as its offer has its own lifetime. The portal is refused: every
endpoint answers 401, with the documented body.

With a new token it revokes the credential.`,
  references: [
    { document: 'Document 1', section: 'Authentication, row 1' },
    { document: 'Document 1', section: 'Errors, row 1' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const organization = firstOrganization(context)
    const { organizationIdentifier } = organization
    const power = powersToRequest(organization)
    const wallet = context.createWallet()
    const bearerToken = await step('A portal gets a token for two minutes', () =>
      control.createBearerToken({ organizationIdentifier, expiresIn: 120 }),
    )
    const link = await step('It asks for a credential', () =>
      ownOfferLink(context, { bearerToken, power }),
    )
    try {
      const { credentialId } = await step(
        'Three minutes later the wallet collects it',
        async () => {
          await control.advanceClock(180)
          return acceptOfferLink(context, wallet, link)
        },
      )
      await step('The portal is refused everywhere', async () => {
        for (const [endpoint, json] of [
          ['representative', { power }],
          ['employee', { email: `ana.${context.uniqueName}@example.org`, power }],
          ['identifiers', { subject_id: 'x' }],
          ['credential', { organization_identifiers: [organizationIdentifier] }],
          ['credential/revoke', { credential_id: credentialId }],
        ] as const) {
          const answer = expectJson(await askIssuer(context, endpoint, bearerToken, json), 401)
          const documented = { error: 'Unauthorized', detail: 'invalid token' }
          expectIncludes(`the answer of ${endpoint}`, answer, documented)
        }
      })
      await step('With a new token it revokes the credential', () =>
        revokeCredential(context, credentialId),
      )
    } finally {
      await control.resetClock()
    }
  },
})
