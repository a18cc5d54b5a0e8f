import { acceptOfferLink } from '#scenarios/fixtures/accept-offer-link.ts'
import { awaitRecord } from '#scenarios/fixtures/await-record.ts'
import { foundOrganization } from '#scenarios/fixtures/found-organization.ts'
import { listRecords } from '#scenarios/fixtures/list-records.ts'
import { logIn } from '#scenarios/fixtures/log-in.ts'
import { ownOfferLink } from '#scenarios/fixtures/own-offer-link.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/notification-lost',
  title: 'While the confirmation gets lost the record stays pending, and the credential is good',
  category: 'Issuance',
  // It breaks the way from the connector to the issuer, for everybody.
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The Connector handed the credential to the wallet, but its confirmation **never arrives**. The record
stays \`pending\`, as documented, however often the portal looks. The holder notices nothing: the
credential logs them in.

The Connector has kept the confirmation. Once the way is free it arrives, and the record is
\`issued\`.`,
  references: [
    { document: 'Document 1', section: 'States and transitions: .1' },
    { document: 'Document 1', section: 'Events: .1' },
    { document: 'Assumptions', section: 'A-19, A-22' },
  ],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const link = await step('The portal shows a QR', () => ownOfferLink(context, organization))
    await step('Confirmations get lost from now on', () =>
      control.setFault('notification-lost', true),
    )
    const { credentialId } = await step('The wallet collects the credential', () =>
      acceptOfferLink(context, wallet, link),
    )
    await step('It logs its holder in', () => logIn(context, wallet))
    await step('The record is still pending', async () => {
      const [record] = await listRecords(context, organization)
      expectEqual('its credential', expectPresent('it', record).credential_id, credentialId)
      expectEqual('its status', record?.status, 'pending')
    })
    await step('The way is free again: it becomes issued', async () => {
      await control.setFault('notification-lost', false)
      await awaitRecord(context, { ...organization, credentialId, status: 'issued' })
    })
  },
})
