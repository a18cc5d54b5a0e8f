import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { callWalletEndpoint } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson } from '#scenarios/harness/expectations.ts'
import { resolveCredentialOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'

export const scenario = defineScenario({
  id: 'issuance/unwanted-pin',
  title: 'A PIN that nobody asked for is refused, the offer lives on',
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
A wallet sends a \`tx_code\` though the offer has none. That is a sign that it shows its holder
another offer than the one it redeems; the token endpoint says **invalid_request** and keeps the code
for a wallet that asks as documented.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, row 5' },
    { document: 'OpenID4VCI 1.0', section: '6.3' },
  ],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()

    const { offerUri } = await step('The issuer makes an offer without a PIN', () =>
      control.createOffer(),
    )
    await step('A wallet sends one all the same', async () => {
      const { preAuthorizedCode } = await resolveCredentialOffer(wallet, offerUri)
      const form = {
        grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
        'pre-authorized_code': preAuthorizedCode,
        tx_code: '123456',
      }
      const body = expectJson(await callWalletEndpoint(context, 'token', { form }), 400)
      expectEqual('the error', body.error, 'invalid_request')
      expectEqual('the token', body.access_token, undefined)
    })
    await step('Without it the offer works', () => acceptOfferLink(context, wallet, offerUri))
  },
})
