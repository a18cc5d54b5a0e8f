import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { otherPinOf } from '#scenarios/fixtures/wallet-endpoints.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { requestToken } from '#wallet-emulator/actions/request-token.ts'
import { resolveCredentialOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'

/** Assumption A-36: a wrong PIN 5 times ends the offer. */
const mostAttempts = 5

export const scenario = defineScenario({
  id: 'issuance/pin-tries-used-up',
  title: 'Who guesses at a PIN ends the offer',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
Somebody photographed the QR and **guesses**. A PIN of four digits would fall within minutes, so the
fifth wrong attempt ends the offer for everybody: the right PIN does not work any more, and the
holder asks for a new offer, which does.`,
  references: [
    { document: 'RFC 6749', section: '10.10' },
    { document: 'Assumptions', section: 'A-36' },
  ],

  async run(context) {
    const { step, control } = context
    const thief = context.createWallet()
    const wallet = context.createWallet()

    const offer = { txCode: { length: 4 } } as const
    const { offerUri, pin = '' } = await step('The issuer makes an offer with a PIN', () =>
      control.createOffer(offer),
    )
    const refused = { code: 'token_refused', status: 400, error: 'invalid_grant' } as const
    await step(`Somebody tries ${mostAttempts} wrong ones`, async () => {
      const resolved = await resolveCredentialOffer(thief, offerUri)
      for (let attempt = 1; attempt <= mostAttempts; attempt++) {
        const guess = requestToken(thief, resolved, { getPin: () => otherPinOf(pin) })
        const description = attempt < mostAttempts ? /wrong/i : /new/i
        await expectWalletRefusal(`attempt ${attempt}`, guess, { ...refused, description })
      }
    })
    await step('The right PIN does not work any more', async () => {
      const resolved = await resolveCredentialOffer(wallet, offerUri)
      const attempt = requestToken(wallet, resolved, { getPin: () => pin })
      await expectWalletRefusal('the right PIN', attempt, refused)
      expectEqual('what the wallet holds', await wallet.store.listCredentials(), [])
    })
    await step('A new offer works', async () => {
      const { offerUri: next, pin: nextPin } = await control.createOffer(offer)
      await acceptOfferLink(context, wallet, next, { getPin: () => nextPin })
    })
  },
})
