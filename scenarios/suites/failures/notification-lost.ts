import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { logIn } from '#scenarios/fixtures/log-in.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { whileBroken } from '#scenarios/fixtures/outages.ts'
import { awaitRecord, listRecords, ownOfferLink } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'failures/notification-lost',
  title: 'A credential whose confirmation got lost is good, and its record catches up',
  category: 'Failures',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
The wallet collects its credential while the Connector's confirmation does not get through. The holder
has what they came for, and it logs them in; the issuer's record stays \`pending\`, as nobody told it.

The Connector does not forget: once the way is free the confirmation arrives, and the record is
\`issued\`.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, row 1' },
    { document: 'Assumptions', section: 'A-19, A-22' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const link = await step('The portal gets a QR', () => ownOfferLink(context, organization))
    const credentialId = await step('The wallet collects while confirmations get lost', () =>
      whileBroken(context, 'notification-lost', async () => {
        const held = await acceptOfferLink(context, wallet, link)
        await logIn(context, wallet)
        const records = await listRecords(context, organization)
        const found = records.map(({ credential_id: id, status }) => ({ id, status }))
        expectEqual('the records', found, [{ id: held.credentialId, status: 'pending' }])
        return held.credentialId
      }),
    )
    await step('Once the way is free the record is issued', () =>
      awaitRecord(context, { ...organization, credentialId, status: 'issued' }),
    )
  },
})
