import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { credentialTypeOf, foundOrganization } from '#scenarios/fixtures/organizations.ts'
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
  title: 'An offer by value contains the documented members and no tx_code',
  algorithms: ['EdDSA'],
  description: `
The link contains the whole offer as URL-encoded JSON. A wallet needs nothing else to know where to go,
so the offer must be exact: \`credential_issuer\`, the ids of credentials in the metadata, and one grant
with the code.

No PIN is required, so \`tx_code\` is **missing**: if it were present but empty, a wallet would ask its
holder for a PIN that was never sent.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-offer-object.1..5',
    'Profile: 1.resources-and-their-fields/issuer-metadata.1, 1.resources-and-their-fields/issuer-metadata.3',
  ),

  async run(context) {
    const { step, control, environment, httpAs } = context
    const wallet = context.createWallet()

    const { offerUri, pin } = await step('The issuer creates an offer by value', () =>
      control.createOffer({ by: 'value' }),
    )
    const offer = await step('The link contains the offer itself', () => {
      const prefix = 'openid-credential-offer://?credential_offer='
      expectTrue(`the link begins with ${prefix}`, offerUri.startsWith(prefix), offerUri)
      const encoded = offerUri.slice(prefix.length)
      expectTrue(
        'the rest of the link is URL-encoded',
        /^[A-Za-z0-9%._~!*'()-]+$/.test(encoded),
        encoded,
      )
      return JSON.parse(decodeURIComponent(encoded)) as Record<string, unknown>
    })
    await step('The offer contains the documented members', () => {
      const { credential_issuer, credentials, grants, ...others } = offer
      expectEqual('credential_issuer', credential_issuer, environment.credentialIssuerUrl)
      expectTrue('credentials is a list', Array.isArray(credentials), credentials)
      expectEqual('further members', others, {})
      expectEqual('the grants', Object.keys(grants as object), [grant])
      const found = (grants as Record<string, Record<string, unknown>>)[grant]
      const { 'pre-authorized_code': code, ...rest } = expectPresent('the grant', found)
      expectTrue('the code is a string that cannot be guessed', String(code).length >= 22, code)
      expectEqual('further members of the grant', rest, {})
      expectEqual('the PIN', pin, undefined)
    })
    await step("Each offered credential is in the issuer's metadata", async () => {
      const url = `${environment.credentialIssuerUrl}/.well-known/openid-credential-issuer`
      const metadata = expectJson(await httpAs('wallet').request(url), 200)
      const known = (metadata.credentials_supported as { id: unknown }[]).map(({ id }) => id)
      const unknown = (offer.credentials as unknown[]).filter((id) => !known.includes(id))
      expectEqual('ids that are missing in the metadata', unknown, [])
    })
    await step('The wallet accepts it without asking its holder for a PIN', async () => {
      let asked = 0
      const getPin = () => {
        asked += 1
        return '1234'
      }
      const { vc } = await acceptOfferLink(context, wallet, offerUri, { getPin })
      expectEqual('the number of PIN prompts', asked, 0)
      expectPresent('the credential', vc)
    })
  },
})

const offerByReference = defineScenario({
  id: 'issuance/offer-by-reference',
  title: 'An offer by reference can be read many times and redeemed once',
  algorithms: ['ES256K'],
  description: `
The link contains only an address. Phones fetch it more than once (a preview, the camera app, then the
wallet), so **reading has no side effect**: each GET returns the same JSON. Only redeeming the code uses
up the offer. A client can still read it afterwards, and the token endpoint says that it is used.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-offer-object.6',
    'OpenID4VCI 1.0: 4.1.1, 4.1.3',
  ),

  async run(context) {
    const { step, control, environment, httpAs } = context
    const wallet = context.createWallet()
    const late = context.createWallet()

    const { offerUri } = await step('The issuer creates an offer by reference', () =>
      control.createOffer({ by: 'reference' }),
    )
    const address = await step('The link contains its URL-encoded address', () => {
      const prefix = 'openid-credential-offer://?credential_offer_uri='
      expectTrue(`the link begins with ${prefix}`, offerUri.startsWith(prefix), offerUri)
      const encoded = offerUri.slice(prefix.length)
      expectTrue('the address is URL-encoded', !/[:/?&#]/.test(encoded), encoded)
      return decodeURIComponent(encoded)
    })
    const read = () => httpAs('wallet').request(address)
    const first = await step('Each client that reads it gets the same JSON', async () => {
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
    await step('An unknown address is 404', async () => {
      const other = address.replace(/[^/]+$/, 'A'.repeat(22))
      expectStatus(await httpAs('wallet').request(other), 404)
    })
  },
})

const offerUsedTwice = defineScenario({
  id: 'issuance/offer-used-twice',
  title: 'A QR code works for one wallet, once',
  algorithms: ['ES256K'],
  description: `
A second person photographs the representative's screen. The representative's wallet is **first**. The
second wallet receives \`invalid_grant\` and does not keep a credential, and so does the first wallet if
it scans the old QR code again. The issuer's record and the credential do not change.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    'OpenID4VCI 1.0: 4.1.1 (short lived and single-use), 6.3',
    'Assumptions: A-36',
  ),

  async run(context) {
    const { step } = context
    const [wallet, thief] = [context.createWallet(), context.createWallet()]
    const organization = await step('A representative of an organization', foundOrganization)

    const link = await step('The portal shows a QR code, which two wallets read', () =>
      ownOfferLink(context, organization),
    )
    const { credentialId } = await step('The first wallet gets the credential', () =>
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
    await step('The second wallet is rejected, and now the first one too', async () => {
      await expectWalletRefusal('the second wallet', acceptOffer(thief, link), refused)
      await expectWalletRefusal('the first wallet, again', acceptOffer(wallet, link), refused)
    })
    await step('The record and the credentials are unchanged', async () => {
      const records = await listRecords(context, organization)
      expectEqual(
        'the records',
        records.map(({ credential_id: id, status }) => ({ id, status })),
        [{ id: credentialId, status: 'issued' }],
      )
      expectEqual(
        'credentials of the second wallet',
        (await thief.store.listCredentials()).length,
        0,
      )
      expectEqual(
        'credentials of the first wallet',
        (await wallet.store.listCredentials()).length,
        1,
      )
    })
  },
})

const declined = defineScenario({
  id: 'issuance/declined',
  title: 'A holder who declines an offer can accept it later',
  algorithms: ['EdDSA'],
  description: `
The wallet shows the offer and the issuer, and its holder **declines**. The wallet has requested neither a
token nor a credential, so the issuer's record is still \`pending\`. The same QR code works when the
holder returns to it.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-offer-object.1, 1.resources-and-their-fields/credential-offer-object.2',
    'Assumptions: A-22',
  ),

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', foundOrganization)
    const link = await step('The portal shows a QR code', () => ownOfferLink(context, organization))
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
      const expected = [credentialIssuerUrl, credentialTypeOf(environment).vcType]
      expectEqual('what the wallet showed to the holder', shown, expected)
      expectEqual("the wallet's credentials", await wallet.store.listCredentials(), [])
    })
    await step('The record is still pending', async () => {
      const records = await listRecords(context, organization)
      const statuses = records.map(({ status }) => status)
      expectEqual('the statuses', statuses, ['pending'])
    })
    await step('The holder returns: the same QR code works', () =>
      acceptOfferLink(context, wallet, link),
    )
  },
})

export const scenarios = [offerByValue, offerByReference, offerUsedTwice, declined]
