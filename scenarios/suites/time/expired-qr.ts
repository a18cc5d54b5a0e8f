import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { firstOrganization, powersToRequest } from '#scenarios/fixtures/organizations.ts'
import { requestOwnOffer } from '#scenarios/fixtures/portal.ts'
import { readQr } from '#scenarios/fixtures/qr-images.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

/** Document 1, Limits: QR_EXPIRATION_TIME, default 300 seconds. */
const qrExpirationSeconds = 300

export const scenario = defineScenario({
  id: 'time/expired-qr',
  title: 'A QR that was scanned too late gives nothing',
  category: 'Time',
  exclusive: true,
  description: `
The QR of an offer lives for \`QR_EXPIRATION_TIME\`, 300 seconds by default. The scenario moves the
testbed's clock past that before the wallet scans: the token endpoint refuses the code as expired,
and the wallet keeps nothing.

A new request gives a new QR, which works.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, row 5' },
    { document: 'Document 1', section: 'Limits, row 1' },
    { document: 'OpenID4VCI 1.0', section: '4.1.1' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const organization = firstOrganization(context)
    const { organizationIdentifier } = organization
    const power = powersToRequest(organization)
    const wallet = context.createWallet()

    const late = await step('The portal gets a QR', async () => {
      const token = await control.createBearerToken({ organizationIdentifier })
      return readQr(context, 'QR that expires', await requestOwnOffer(context, token, power))
    })
    await step(`${qrExpirationSeconds + 1} seconds pass`, () =>
      control.advanceClock(qrExpirationSeconds + 1),
    )
    await step('The issuer refuses the wallet, and says that the code expired', async () => {
      await expectWalletRefusal('the expired offer', acceptOffer(wallet, late), {
        code: 'token_refused',
        status: 400,
        error: 'invalid_grant',
        description: /expired/i,
      })
      expectEqual('the credentials kept', await wallet.store.listCredentials(), [])
    })
    await step('A new QR works', async () => {
      const token = await control.createBearerToken({ organizationIdentifier })
      const png = await requestOwnOffer(context, token, power)
      await acceptOfferLink(context, wallet, readQr(context, 'New QR', png))
    })
  },
})
