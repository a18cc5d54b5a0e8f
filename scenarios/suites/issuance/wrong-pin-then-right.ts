import type { TxCode } from '#core/oid4vci/credential-offer.ts'
import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { callWalletEndpoint, otherPinOf } from '#scenarios/fixtures/wallet-endpoints.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson } from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import type { PinAttempt } from '#wallet-emulator/actions/request-token.ts'
import { resolveCredentialOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

export const scenario = defineScenario({
  id: 'issuance/wrong-pin-then-right',
  title: 'A mistyped PIN is refused, the right one works after it',
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
People mistype. Each wrong attempt is refused with **invalid_grant** and a sentence that the wallet can
show; the offer stays alive and the right PIN brings the credential. What is no PIN at all (left out,
too short, letters instead of digits) gives no token either.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, row 5' },
    { document: 'OpenID4VCI 1.0', section: '6.3' },
    { document: 'Assumptions', section: 'A-25, A-36' },
  ],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()

    const { offerUri, pin = '' } = await step('The issuer makes an offer with a PIN', () =>
      control.createOffer({ txCode: { length: 6 } }),
    )
    await step('A wallet whose holder gives no PIN does not even ask', () =>
      expectWalletRefusal('the acceptance', acceptOffer(wallet, offerUri), {
        code: 'pin_required',
      }),
    )
    await step('The holder mistypes it', () =>
      expectWalletRefusal(
        'the wrong PIN',
        acceptOffer(wallet, offerUri, { getPin: () => otherPinOf(pin) }),
        { code: 'token_refused', status: 400, error: 'invalid_grant', description: /tx_code|PIN/i },
      ),
    )
    await step('Without a PIN, or with something else, there is no token', async () => {
      const { preAuthorizedCode } = await resolveCredentialOffer(wallet, offerUri)
      const grant = { grant_type: grantType, 'pre-authorized_code': preAuthorizedCode }
      for (const [form, error] of [
        [grant, 'invalid_request'],
        [{ ...grant, tx_code: pin.slice(1) }, 'invalid_grant'],
        [{ ...grant, tx_code: 'abcdef' }, 'invalid_grant'],
      ] as const) {
        const body = expectJson(await callWalletEndpoint(context, 'token', { form }), 400)
        expectEqual('the error', body.error, error)
        expectEqual('the token', body.access_token, undefined)
      }
      expectEqual('what the wallet holds', await wallet.store.listCredentials(), [])
    })
    await step('They mistype it once more, are asked again, and type it right', async () => {
      const asked: number[] = []
      const getPin = (_: TxCode, { attempt }: PinAttempt) => {
        asked.push(attempt)
        return attempt === 1 ? otherPinOf(pin) : pin
      }
      // Four wrong ones by now: the fifth would be the last.
      await acceptOfferLink(context, wallet, offerUri, { getPin })
      expectEqual('how often the holder was asked', asked, [1, 2])
    })
  },
})
