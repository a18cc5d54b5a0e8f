import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askToRevoke,
  listRecords,
  receiveOfferMail,
  requestEmployeeOffer,
} from '#scenarios/fixtures/portal.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson } from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

export const scenario = defineScenario({
  id: 'employee/revoked-before-pickup',
  title: 'A mail that went to the wrong address is made worthless',
  category: 'Employees',
  algorithms: ['EdDSA'],
  description: `
The address was **mistyped**, and the mail is in a stranger's mailbox. The representative revokes the
pending record; the stranger's wallet scans the QR of the mail and gets neither a token nor a
credential.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, row 3' },
    { document: 'Assumptions', section: 'A-22' },
  ],

  async run(context) {
    const { step, uniqueName } = context
    const stranger = context.createWallet()
    const email = `wrong.${uniqueName}@example.org`
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { bearerToken, power } = organization
    const { link } = await step('The mail goes to a stranger', async () => {
      await requestEmployeeOffer(context, bearerToken, { email, power })
      return receiveOfferMail(context, email)
    })
    await step('The representative revokes the pending record', async () => {
      const [record] = await listRecords(context, organization)
      expectEqual('its status before', record?.status, 'pending')
      const id = String(record?.credential_id)
      expectJson(await askToRevoke(context, id, bearerToken), 200)
    })
    await step('The stranger scans the QR: refused', async () => {
      await expectWalletRefusal('the withdrawn offer', acceptOffer(stranger, link), {
        code: 'token_refused',
        status: 400,
        error: 'invalid_grant',
      })
      expectEqual('what the stranger holds', await stranger.store.listCredentials(), [])
    })
    await step('The record stays revoked', async () => {
      const [record, ...others] = await listRecords(context, organization)
      expectEqual('its status', record?.status, 'revoked')
      expectEqual('other records', others, [])
    })
  },
})
