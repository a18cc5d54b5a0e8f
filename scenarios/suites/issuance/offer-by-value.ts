import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

const grant = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

export const scenario = defineScenario({
  id: 'issuance/offer-by-value',
  title: 'An offer by value holds what the document names, and nothing about a PIN',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
The link carries the whole offer as URL-encoded JSON. A wallet needs no more than that to know where
to go, so it has to be exact: \`credential_issuer\`, the ids of credentials that the metadata knows,
and one grant with the code.

No PIN is required, so \`tx_code\` is **left out entirely**: a wallet that finds an empty one would ask
its holder for a PIN that nobody sent.`,
  references: [
    { document: 'Document 1', section: 'credential_offer object, rows 1 to 5' },
    { document: 'Document 1', section: 'Issuer metadata, rows 1, 3' },
  ],

  async run(context) {
    const { step, control, environment, httpAs } = context
    const wallet = context.createWallet()

    const { offerUri, pin } = await step('The issuer makes an offer by value', () =>
      control.createOffer({ by: 'value' }),
    )
    const offer = await step('The link carries the offer itself', () => {
      const prefix = 'openid-credential-offer://?credential_offer='
      expectTrue(`the link begins with ${prefix}`, offerUri.startsWith(prefix), offerUri)
      const encoded = offerUri.slice(prefix.length)
      expectTrue('what follows is URL-encoded', /^[A-Za-z0-9%._~!*'()-]+$/.test(encoded), encoded)
      return JSON.parse(decodeURIComponent(encoded)) as Record<string, unknown>
    })
    await step('The offer holds the documented members', () => {
      const { credential_issuer, credentials, grants, ...others } = offer
      expectEqual('credential_issuer', credential_issuer, environment.credentialIssuerUrl)
      expectTrue('credentials is a list', Array.isArray(credentials), credentials)
      expectEqual('further members', others, {})
      expectEqual('the grants', Object.keys(grants as object), [grant])
      const found = (grants as Record<string, Record<string, unknown>>)[grant]
      const { 'pre-authorized_code': code, ...rest } = expectPresent('the grant', found)
      expectTrue('the code is a text that nobody guesses', String(code).length >= 22, code)
      expectEqual('what stands beside the code', rest, {})
      expectEqual('the PIN', pin, undefined)
    })
    await step("Each offered credential is in the issuer's metadata", async () => {
      const url = `${environment.credentialIssuerUrl}/.well-known/openid-credential-issuer`
      const metadata = expectJson(await httpAs('wallet').request(url), 200)
      const known = (metadata.credentials_supported as { id: unknown }[]).map(({ id }) => id)
      const unknown = (offer.credentials as unknown[]).filter((id) => !known.includes(id))
      expectEqual('ids that the metadata lacks', unknown, [])
    })
    await step('The wallet takes it without asking its holder for a PIN', async () => {
      let asked = 0
      const getPin = () => {
        asked += 1
        return '1234'
      }
      const { vc } = await acceptOfferLink(context, wallet, offerUri, { getPin })
      expectEqual('how often a PIN was asked for', asked, 0)
      expectPresent('the credential', vc)
    })
  },
})
