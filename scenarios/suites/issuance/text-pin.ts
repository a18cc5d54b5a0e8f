import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { callWalletEndpoint } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
} from '#scenarios/harness/expectations.ts'
import { resolveCredentialOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

export const scenario = defineScenario({
  id: 'issuance/text-pin',
  title: 'An offer that asks for a PIN of letters and digits',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
With \`input_mode\` **text** the wallet has to show a whole keyboard. The PIN has none of the
characters that people mix up when they read it from paper, and it is taken as it is: the same in
small letters is another one, and is refused without ending the offer.`,
  references: [
    { document: 'Document 1', section: 'credential_offer object, row 4' },
    { document: 'OpenID4VCI 1.0', section: '4.1.1, 6.3' },
  ],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()

    const { offerUri, pin = '' } = await step('The issuer makes an offer with such a PIN', () =>
      control.createOffer({ txCode: { length: 10, inputMode: 'text' } }),
    )
    const { offer, preAuthorizedCode } = await step('The offer says what to ask for', async () => {
      const resolved = await resolveCredentialOffer(wallet, offerUri)
      expectIncludes('tx_code', { ...resolved.offer.txCode }, { length: 10, inputMode: 'text' })
      expectMatch('its description for people', resolved.offer.txCode?.description, /\w/)
      return resolved
    })
    await step('The PIN can be read from paper', () => {
      expectMatch('the PIN', pin, /^[A-HJ-NP-Z2-9]{10}$/)
      expectEqual('its length', pin.length, offer.txCode?.length)
    })
    await step('Another case is another PIN', async () => {
      const form = {
        grant_type: grantType,
        'pre-authorized_code': preAuthorizedCode,
        // A PIN of digits alone has no other case; one character more is another PIN all the same.
        tx_code: pin.toLowerCase() === pin ? `${pin}A` : pin.toLowerCase(),
      }
      const answer = await callWalletEndpoint(context, 'token', { form })
      expectEqual('the error', expectJson(answer, 400).error, 'invalid_grant')
    })
    await step('With the right one the wallet gets the credential', () =>
      acceptOfferLink(context, wallet, offerUri, { getPin: () => pin }),
    )
  },
})
