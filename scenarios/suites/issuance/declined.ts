import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { listRecords, ownOfferLink } from '#scenarios/fixtures/portal.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

export const scenario = defineScenario({
  id: 'issuance/declined',
  title: 'A holder who declines can change their mind',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
The wallet shows what is offered and by whom, and its holder says **no**. Nothing was asked for yet: no
token, no proof, so the issuer's record is still \`pending\` and the same QR works when the holder comes
back to it.`,
  references: [
    { document: 'Document 1', section: 'credential_offer object, rows 1, 2' },
    { document: 'Assumptions', section: 'A-22' },
  ],

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const link = await step('The portal shows a QR', () => ownOfferLink(context, organization))
    const shown: unknown[] = []
    await step('The wallet shows the offer, and its holder declines', async () => {
      const declined = acceptOffer(wallet, link, {
        consent({ offer, offered }) {
          shown.push(offer.credentialIssuer, ...offered.map(({ id }) => id))
          return false
        },
      })
      await expectWalletRefusal('the declined offer', declined, { code: 'declined' })
      const { credentialIssuerUrl } = environment
      const expected = [credentialIssuerUrl, 'OrgPortalLearCredential']
      expectEqual('what the holder was shown', shown, expected)
      expectEqual('what the wallet holds', await wallet.store.listCredentials(), [])
    })
    await step('The record is still pending', async () => {
      const records = await listRecords(context, organization)
      const statuses = records.map(({ status }) => status)
      expectEqual('the statuses', statuses, ['pending'])
    })
    await step('The holder comes back: the same QR works', () =>
      acceptOfferLink(context, wallet, link),
    )
  },
})
