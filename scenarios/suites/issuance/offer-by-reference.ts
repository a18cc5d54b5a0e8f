import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

export const scenario = defineScenario({
  id: 'issuance/offer-by-reference',
  title: 'An offer by reference reads the same twice, and works once',
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
The link carries only an address. Phones fetch it more than once (a preview, the camera app, then the
wallet), so **reading costs nothing**: each GET gives the same JSON. Only redeeming the code uses the
offer up; who reads it afterwards still sees it, and the token endpoint says that it is used.`,
  references: [
    { document: 'Document 1', section: 'credential_offer object, row 6' },
    { document: 'OpenID4VCI 1.0', section: '4.1.1, 4.1.3' },
  ],

  async run(context) {
    const { step, control, environment, httpAs } = context
    const wallet = context.createWallet()
    const late = context.createWallet()

    const { offerUri } = await step('The issuer makes an offer by reference', () =>
      control.createOffer({ by: 'reference' }),
    )
    const address = await step('The link carries its URL-encoded address', () => {
      const prefix = 'openid-credential-offer://?credential_offer_uri='
      expectTrue(`the link begins with ${prefix}`, offerUri.startsWith(prefix), offerUri)
      const encoded = offerUri.slice(prefix.length)
      expectTrue('the address is URL-encoded', !/[:/?&#]/.test(encoded), encoded)
      return decodeURIComponent(encoded)
    })
    const read = () => httpAs('wallet').request(address)
    const first = await step('Whoever reads it gets JSON, and the same once more', async () => {
      const [one, other] = [await read(), await read()]
      const offer = expectJson(one, 200)
      expectEqual('the second reading', expectJson(other, 200), offer)
      expectEqual('credential_issuer', offer.credential_issuer, environment.credentialIssuerUrl)
      expectEqual('cache-control', one.headers.get('cache-control'), 'no-store')
      return offer
    })
    await step('The wallet accepts it', async () => {
      expectPresent('the credential', await acceptOfferLink(context, wallet, offerUri))
    })
    await step('It can still be read, but not redeemed again', async () => {
      expectEqual('the third reading', expectJson(await read(), 200), first)
      await expectWalletRefusal('the second acceptance', acceptOffer(late, offerUri), {
        code: 'token_refused',
        status: 400,
        error: 'invalid_grant',
      })
    })
    await step('An address that nobody was given is 404', async () => {
      const other = address.replace(/[^/]+$/, 'A'.repeat(22))
      expectStatus(await httpAs('wallet').request(other), 404)
    })
  },
})
