import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { awaitRecord, listRecords, ownOfferLink } from '#scenarios/fixtures/portal.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

const grant = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

const offerByValue = defineScenario({
  id: 'issuance/offer-by-value',
  title: 'An offer by value holds what the document names, and nothing about a PIN',
  algorithms: ['EdDSA'],
  description: `
The link carries the whole offer as URL-encoded JSON. A wallet needs no more than that to know where
to go, so it has to be exact: \`credential_issuer\`, the ids of credentials that the metadata knows,
and one grant with the code.

No PIN is required, so \`tx_code\` is **left out entirely**: a wallet that finds an empty one would ask
its holder for a PIN that nobody sent.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-offer-object.1..5',
    'Profile: 1.resources-and-their-fields/issuer-metadata.1, 1.resources-and-their-fields/issuer-metadata.3',
  ),

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

const offerByReference = defineScenario({
  id: 'issuance/offer-by-reference',
  title: 'An offer by reference reads the same twice, and works once',
  algorithms: ['ES256K'],
  description: `
The link carries only an address. Phones fetch it more than once (a preview, the camera app, then the
wallet), so **reading costs nothing**: each GET gives the same JSON. Only redeeming the code uses the
offer up; who reads it afterwards still sees it, and the token endpoint says that it is used.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-offer-object.6',
    'OpenID4VCI 1.0: 4.1.1, 4.1.3',
  ),

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

const offerUsedTwice = defineScenario({
  id: 'issuance/offer-used-twice',
  title: 'A QR works for one wallet, once',
  algorithms: ['ES256K'],
  description: `
Somebody photographed the representative's screen. The representative's wallet was **first**; the
second wallet is refused with \`invalid_grant\` and keeps nothing, and so is the first one when it
scans the old QR again. The issuer's record and the credential stay as they are.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    'OpenID4VCI 1.0: 4.1.1 (short lived and single-use), 6.3',
    'Assumptions: A-36',
  ),

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

const declined = defineScenario({
  id: 'issuance/declined',
  title: 'A holder who declines can change their mind',
  algorithms: ['EdDSA'],
  description: `
The wallet shows what is offered and by whom, and its holder says **no**. Nothing was asked for yet: no
token, no proof, so the issuer's record is still \`pending\` and the same QR works when the holder comes
back to it.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-offer-object.1, 1.resources-and-their-fields/credential-offer-object.2',
    'Assumptions: A-22',
  ),

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

export const scenarios = [offerByValue, offerByReference, offerUsedTwice, declined]
