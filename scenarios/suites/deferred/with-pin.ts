import { setTimeout as sleep } from 'node:timers/promises'
import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { otherPinOf } from '#scenarios/fixtures/wallet-endpoints.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

export const scenario = defineScenario({
  id: 'deferred/with-pin',
  title: 'PIN, reference and deferral in one offer',
  category: 'Deferred issuance',
  algorithms: ['ES256K'],
  description: `
Everything that an offer can be, **at once**: by reference, with a PIN, for a holder with a did:jwk, and
deferred. The PIN is asked for once, at the token endpoint; a wrong one does not even begin the
deferral, and polling asks for none.`,
  references: [
    { document: 'Document 1', section: 'credential_offer object, rows 3, 4, 6' },
    {
      document: 'Document 1',
      section: 'Endpoints an issuer exposes to the wallet, rows 5, 11 to 13',
    },
  ],

  async run(context) {
    const { step, control, signal } = context
    const wallet = context.createWallet({ didMethod: 'jwk' })
    const deferral = { wait: () => sleep(1, undefined, { signal }) }

    const { offerUri, pin = '' } = await step('The issuer makes such an offer', () =>
      control.createOffer({ by: 'reference', txCode: { length: 8 }, deferredSeconds: 0 }),
    )
    await step('With a wrong PIN nothing begins', async () => {
      const getPin = () => otherPinOf(pin)
      await expectWalletRefusal(
        'the wrong PIN',
        acceptOffer(wallet, offerUri, { getPin, deferral }),
        {
          code: 'token_refused',
          status: 400,
          error: 'invalid_grant',
        },
      )
    })
    await step('With the right one the wallet polls, and has its credential', async () => {
      let asked = 0
      const getPin = () => {
        asked += 1
        return pin
      }
      const { vc } = await acceptOfferLink(context, wallet, offerUri, { getPin, deferral })
      expectEqual('how often the PIN was asked for', asked, 1)
      expectEqual('whose it is', vc.credentialSubject.id, wallet.account.did)
    })
  },
})
