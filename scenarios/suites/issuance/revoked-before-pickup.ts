import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { askIssuer, listRecords, ownOfferLink } from '#scenarios/fixtures/portal.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent, expectStatus } from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

export const scenario = defineScenario({
  id: 'issuance/revoked-before-pickup',
  title: 'A credential that is revoked before anybody collected it is never issued',
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
The representative noticed a mistake and revoked the record while it was **pending**: the QR may still
hang on a wall. Its code gives no token any more, the wallet shows its holder why, and the record stays
revoked.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, row 3' },
    { document: 'Assumptions', section: 'A-22' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const link = await step('The portal shows a QR', () => ownOfferLink(context, organization))
    await step('The pending record is revoked', async () => {
      const [record] = await listRecords(context, organization)
      const { status, credential_id } = expectPresent('the record', record)
      expectEqual('its status before', status, 'pending')
      const { bearerToken } = organization
      const json = { credential_id }
      expectStatus(await askIssuer(context, 'credential/revoke', bearerToken, json), 200)
    })
    await step('The wallet scans the QR: it is refused, and keeps nothing', async () => {
      await expectWalletRefusal('the withdrawn offer', acceptOffer(wallet, link), {
        code: 'token_refused',
        status: 400,
        error: 'invalid_grant',
        description: /\w/,
      })
      expectEqual('what the wallet holds', await wallet.store.listCredentials(), [])
    })
    await step('The record stays revoked', async () => {
      const records = await listRecords(context, organization)
      const statuses = records.map(({ status }) => status)
      expectEqual('the statuses', statuses, ['revoked'])
    })
  },
})
