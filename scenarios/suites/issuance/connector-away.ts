import { acceptOfferLink } from '#scenarios/fixtures/accept-offer-link.ts'
import { askIssuer } from '#scenarios/fixtures/ask-issuer.ts'
import { expectIssuerRefusal } from '#scenarios/fixtures/expect-issuer-refusal.ts'
import { foundOrganization } from '#scenarios/fixtures/found-organization.ts'
import { listRecords } from '#scenarios/fixtures/list-records.ts'
import { ownOfferLink } from '#scenarios/fixtures/own-offer-link.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/connector-away',
  title: 'Without its Connector the issuer says so, and issues nothing',
  category: 'Issuance',
  // It breaks the way from the issuer to the connector, for everybody.
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
An issuance is made through a Connector profile. The Connector does not answer, so that there is no
offer: both endpoints answer the documented **500**, which says what is wrong without showing where
the Connector lives. Whatever is kept of the attempt stays \`pending\` and issues nothing later; a new
request works once the Connector is back.`,
  references: [
    { document: 'Document 1', section: 'Errors: .4' },
    { document: 'Document 1', section: 'Endpoints, Credential Issuer: .13' },
    { document: 'Assumptions', section: 'A-25' },
  ],

  async run(context) {
    const { step, control, uniqueName } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { power, bearerToken } = organization
    await step('The Connector goes away', () => control.setFault('connector-down', true))
    for (const [endpoint, json] of [
      ['representative', { power }],
      ['employee', { power, email: `nobody.${uniqueName}@example.org` }],
    ] as const) {
      await step(`POST /issuance/${endpoint}: 500`, async () => {
        const body = expectIssuerRefusal(await askIssuer(context, endpoint, bearerToken, json), 500)
        const told = JSON.stringify(body)
        expectMatch('what it says', told, /connector/i)
        expectEqual('addresses in it', told.match(/https?:|127\.0\.0\.1|:\d{4,5}/g), null)
      })
    }
    await step('Nothing is issued', async () => {
      const records = await listRecords(context, organization)
      const others = records.filter(({ status }) => status !== 'pending')
      expectEqual('records that are not pending', others, [])
    })
    await step('Once it is back the representative gets a credential', async () => {
      await control.setFault('connector-down', false)
      await acceptOfferLink(context, wallet, await ownOfferLink(context, organization))
    })
  },
})
