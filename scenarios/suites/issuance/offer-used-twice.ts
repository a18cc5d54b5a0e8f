import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { awaitRecord, listRecords, ownOfferLink } from '#scenarios/fixtures/portal.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

export const scenario = defineScenario({
  id: 'issuance/offer-used-twice',
  title: 'A QR works for one wallet, once',
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
Somebody photographed the representative's screen. The representative's wallet was **first**; the
second wallet is refused with \`invalid_grant\` and keeps nothing, and so is the first one when it
scans the old QR again. The issuer's record and the credential stay as they are.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, row 5' },
    { document: 'OpenID4VCI 1.0', section: '4.1.1 (short lived and single-use), 6.3' },
    { document: 'Assumptions', section: 'A-36' },
  ],

  async run(context) {
    const { step } = context
    const [wallet, thief] = [context.createWallet(), context.createWallet()]
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )

    const link = await step('The portal shows a QR, which two wallets read', () =>
      ownOfferLink(context, organization),
    )
    const { credentialId } = await step('The first one gets the credential', () =>
      acceptOfferLink(context, wallet, link),
    )
    const issued = { ...organization, credentialId, status: 'issued' } as const
    await step("The issuer's record is issued", () => awaitRecord(context, issued))
    const refused = {
      code: 'token_refused',
      status: 400,
      error: 'invalid_grant',
      description: /used/i,
    } as const
    await step('The second one is refused, and so is the first one now', async () => {
      await expectWalletRefusal('the second wallet', acceptOffer(thief, link), refused)
      await expectWalletRefusal('the first wallet, again', acceptOffer(wallet, link), refused)
    })
    await step('Nothing else changed', async () => {
      const records = await listRecords(context, organization)
      expectEqual(
        'the records',
        records.map(({ credential_id: id, status }) => ({ id, status })),
        [{ id: credentialId, status: 'issued' }],
      )
      expectEqual('credentials of the second', (await thief.store.listCredentials()).length, 0)
      expectEqual('credentials of the first', (await wallet.store.listCredentials()).length, 1)
    })
  },
})
