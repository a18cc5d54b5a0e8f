import { randomBytes } from 'node:crypto'
import { createPrivateJwk } from '#core/crypto/jwk.ts'
import { verificationMethodIdOf } from '#core/did/did-org.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import type { Party, TrustWorld } from '../../../world/create-trust-world.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import {
  findPinsSent,
  listsCredential,
  takeCredential,
  tellRequests,
} from '../findings/issuance-findings.ts'

/** Offers that a wallet has to take, and credentials that it has to keep. */
export const checks = defineChecks<WalletContext>({
  'W01-offer-by-value': {
    title: 'An offer in the link itself is taken',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/credential-offer-object.1',
      '1.resources-and-their-fields/credential-offer-object.2',
      '1.resources-and-their-fields/credential-offer-object.3',
      '1.resources-and-their-fields/credential-offer-object.5',
      '1.what-the-service-does.3',
    ],
    description:
      'What stands in a QR code as a whole has to be understood; nothing else works without it.',
    sends:
      'A link openid-credential-offer://?credential_offer=… of an issuer that is as good as can be.',
    decides:
      'The kit hands the credential out, the wallet says that it has it, and its list holds it.',
    async run(context) {
      const { session, answer, credential } = await takeCredential(context)
      const { wallet } = context
      const told = `The wallet took the offer by value: ${tellRequests(session)}`
      if (!wallet.can.list) return held(told, { verdictSource: answer.source })
      const { credentials, outcome, reason, source: verdictSource } = await wallet.list()
      if (outcome !== 'done') return inconclusive(`${told} ${reason}`, { verdictSource })
      return listsCredential(credentials, credential)
        ? held(`${told} Its list holds the credential.`, { verdictSource })
        : broken('The wallet said that it has the credential, but does not list it.', {
            verdictSource,
          })
    },
  },
  'W02-offer-by-reference': {
    title: 'An offer at an address is fetched and taken',
    level: 'spec',
    expectation: 'accept',
    control: 'offers',
    rows: ['1.resources-and-their-fields/credential-offer-object.6'],
    description:
      'Long offers do not fit into a QR code: issuers then hand out the address of the offer.',
    sends:
      'A link openid-credential-offer://?credential_offer_uri=… whose address answers the offer.',
    decides:
      'The wallet asks for the offer, the kit hands the credential out, and the wallet says that it has it.',
    async run(context) {
      const { session } = await takeCredential(context, { delivery: 'reference' })
      return session.requestsTo('offer').length > 0
        ? held(`The wallet fetched the offer and took it: ${tellRequests(session)}`, {
            verdictSource: 'requests for the offer',
          })
        : broken('The wallet never fetched the offer.', { verdictSource: 'requests for the offer' })
    },
  },
  'W03-offer-without-pin': {
    title: 'An offer that asks for no PIN is taken without one',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/credential-offer-object.4',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    ],
    description:
      'Issuers leave tx_code out entirely where no PIN is required; a wallet that needs one there takes no such offer.',
    sends: 'An offer without tx_code, and no PIN to the wallet.',
    decides: 'The credential is handed out, and the token request carries no tx_code.',
    async run(context) {
      const { session } = await takeCredential(context)
      const [request] = session.requestsTo('token')
      const verdictSource = 'token request'
      const sent = new URLSearchParams(request?.body).get('tx_code')
      return sent === null
        ? held('The wallet took the offer without a PIN.', { verdictSource })
        : broken('The token request carries a tx_code, though the offer asks for none.', {
            verdictSource,
            actual: sent,
          })
    },
  },
  'W04-numeric-pin': {
    title: 'A PIN of four to eight digits is sent as it was typed',
    level: 'spec',
    expectation: 'accept',
    control: 'offers',
    rows: [
      '1.resources-and-their-fields/credential-offer-object.4',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    ],
    description: 'A PIN is a text: a wallet that reads it as a number loses zeros in front.',
    sends:
      'Three offers with tx_code {length 4, 6, 8, input_mode numeric}, and PINs of which some begin with zero.',
    decides: 'tx_code of each token request is the PIN, and the credential is handed out.',
    run: (context) => findPinsSent(context, ['4935', '049352', '00718293']),
  },
  'W05-text-pin': {
    title: 'A PIN of letters and signs is sent as it was typed',
    level: 'final',
    expectation: 'accept',
    control: 'offers',
    clauses: ['OpenID4VCI 1.0, 4.1.1'],
    description:
      'input_mode may be text. Signs that mean something in a form, and capitals, have to arrive as they are.',
    sends:
      'An offer with tx_code {input_mode text}, and a PIN with capitals, an ampersand and a plus sign.',
    decides: 'tx_code of the token request is the PIN, and the credential is handed out.',
    run: (context) => findPinsSent(context, ['Kx7+p&Q=9z']),
  },
  'W06-pin-not-asked-for': {
    title: 'A PIN that the offer does not ask for is not sent',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
      '1.resources-and-their-fields/credential-offer-object.4',
    ],
    description:
      'A PIN is sent where the offer required one. A wallet that always asks gets people used to typing PINs anywhere.',
    sends: 'An offer without tx_code, and a PIN to the wallet all the same.',
    decides: 'The token request carries no tx_code, and the credential is handed out.',
    async run(context) {
      const session = context.openIssuer()
      const { outcome, reason } = await context.wallet.acceptOffer({
        link: session.offerByValue(),
        pin: '4935',
      })
      const verdictSource = 'token request'
      const [request] = session.requestsTo('token')
      const sent = new URLSearchParams(request?.body).get('tx_code')
      if (sent !== null && sent !== '') {
        return broken('The wallet sent a PIN that the offer did not ask for.', {
          verdictSource,
          actual: sent,
        })
      }
      const [credential] = session.delivered
      if (outcome !== 'done' || credential === undefined) return inconclusive(reason)
      context.noteHeld(credential)
      return held('The wallet took the offer and kept the PIN to itself.', { verdictSource })
    },
  },
  'W14-unknown-members': {
    title: 'Members that are not known are passed over',
    level: 'final',
    expectation: 'accept',
    control: 'offers',
    clauses: ['OpenID4VCI 1.0, 4.1.1', 'OpenID4VCI 1.0, 12.2.4'],
    description:
      'Issuers say more than the profile knows: display names, encryption, later revisions. A wallet that refuses them takes nothing tomorrow.',
    sends: 'An offer, a grant and metadata with members of several kinds that no document knows.',
    decides: 'The credential is handed out, and the wallet says that it has it.',
    async run(context) {
      const unknown = { x_number: 7, x_list: [1, { deep: true }], x_object: { a: null } }
      const { session, answer } = await takeCredential(context, {
        behaviour: { offer: unknown, grant: unknown, metadata: unknown, entry: unknown },
      })
      return held(`The wallet passed over what it does not know: ${tellRequests(session)}`, {
        verdictSource: answer.source,
      })
    },
  },
  'W26-issuer-key-rolled': {
    title: 'A credential signed with the old key while both were valid is kept',
    level: 'practice',
    expectation: 'accept',
    control: 'offers',
    description:
      'Issuers change keys with an overlap. What the old key signed in that time stays good after its end, by the DID document as it was then.',
    sends:
      'An issuer whose old key ended a minute ago, a new key since long before, and a credential that the old one signed ten minutes ago.',
    decides: 'The wallet says that it has the credential.',
    async run(context) {
      const { world } = context.trust
      const issuer = rollKey(world, { endedAt: context.now() - 60 })
      const { session, answer } = await takeCredential(context, {
        behaviour: {
          credential: ({ holderDid, now }) =>
            issueCredential(world, { holderDid, now: now - 600, issuer }),
        },
      })
      return held(`The wallet kept what the old key signed: ${tellRequests(session)}`, {
        verdictSource: answer.source,
      })
    },
  },
  'W58-unknown-grant': {
    title: 'A grant that is not known is passed over',
    level: 'final',
    expectation: 'accept',
    control: 'offers',
    clauses: ['OpenID4VCI 1.0, 4.1.1'],
    description:
      'An issuer may offer several ways to the credential. The one that the wallet knows is enough.',
    sends: 'An offer with an unknown grant and authorization_code beside the pre-authorized code.',
    decides: 'The wallet takes the way of the pre-authorized code.',
    async run(context) {
      const { answer } = await takeCredential(context, {
        behaviour: {
          otherGrants: {
            authorization_code: { issuer_state: 'a-state' },
            'urn:example:grant-type:unknown': { list: [1] },
          },
        },
      })
      return held('The wallet took the pre-authorized code and passed the other grants over.', {
        verdictSource: answer.source,
      })
    },
  },
  'W91-two-credentials-offered': {
    title: 'Each offered credential is asked for',
    level: 'practice',
    expectation: 'accept',
    control: 'offers',
    description:
      'credentials is a list: a wallet that takes the first one leaves the others with the issuer. No sentence obliges it to take them all, and a holder may choose.',
    sends: 'An offer of two ids that the metadata both has.',
    decides: 'Two credentials are handed out, and the wallet says that it has them.',
    async run(context) {
      const ids = ['OrgPortalLearCredential', 'OrgPortalLearCredential-2']
      const { session } = await takeCredential(context, {
        behaviour: {
          offer: { credentials: ids },
          metadata: { credentials_supported: ids.map((id) => ({ ...entry, id })) },
        },
      })
      const { length } = session.delivered
      const verdictSource = 'credential requests'
      return length === 2
        ? held('The wallet asked for both credentials.', { verdictSource })
        : broken(`The wallet took ${length} of two credentials and said that it was done.`, {
            verdictSource,
            expected: 2,
            actual: length,
          })
    },
  },
})

const entry = {
  format: 'jwt_vc_json',
  types: ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential'],
  cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
  cryptographic_suites_supported: ['ES256K', 'EdDSA'],
}

/**
 * Puts a new issuer into a trust world whose key was rolled: the old one, which is given back, ended
 * at that time (Unix seconds), and a new one has been there for long.
 */
function rollKey(world: TrustWorld, { endedAt }: { readonly endedAt: number }): Party {
  const issuer = registerIssuer(world)
  for (const use of world.keyUses) if (use.kid === issuer.kid) use.notAfter = endedAt
  const key = createPrivateJwk('secp256k1', randomBytes(32))
  world.use(`${issuer.did}#${verificationMethodIdOf(key)}`, key, 'assertionMethod')
  return issuer
}
