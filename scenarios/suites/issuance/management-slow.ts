import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { ownOfferLink } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectTrue } from '#scenarios/harness/expectations.ts'

const seconds = 0.3

export const scenario = defineScenario({
  id: 'issuance/management-slow',
  title: 'A management API that answers late delays an issuance, and no more',
  category: 'Issuance',
  // There is one management API, and what it does wrong is set for all.
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The management API answers after ${seconds} seconds. The issuer waits for the **answer**, and issues
by it; it neither gives up at once nor guesses.`,
  references: [
    { document: 'Document 1', section: 'Power object, row 6' },
    { document: 'Assumptions', section: 'A-24, A-29' },
  ],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { organizationIdentifier } = organization

    const link = await step(`The portal gets its QR after ${seconds} seconds`, async () => {
      const failure = { failure: 'slow', seconds, organization_identifier: organizationIdentifier }
      await control.setManagementFailure(failure)
      const began = performance.now()
      try {
        return await ownOfferLink(context, organization)
      } finally {
        const took = performance.now() - began
        await control.setManagementFailure(null)
        expectTrue('the issuer waited for the answer', took >= seconds * 1000, took)
      }
    })
    await step('The wallet collects the credential', () => acceptOfferLink(context, wallet, link))
  },
})
