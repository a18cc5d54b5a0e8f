import { randomBytes } from 'node:crypto'
import { createPrivateJwk } from '#core/crypto/jwk.ts'
import { verificationMethodIdOf } from '#core/did/did-org.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import type { Party, TrustWorld } from '../../../world/create-trust-world.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import { endKey } from '../../../world/key-uses.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import type { IssuerSession, ReplaceAnswer } from '../counterparts/issuer-session.ts'
import { membersIn } from '../counterparts/read-proof.ts'
import { longToken, queryProblem, unusualQuery } from '../counterparts/unusual-values.ts'
import {
  asCase,
  casesFor,
  describeRequests,
  findPinsSent,
  listsCredential,
  type TakeCredentialOptions,
  takeCredential,
} from '../findings/issuance-findings.ts'

/** Offers that a wallet must accept, and credentials that it must keep. */
export const checks = defineChecks<WalletContext>({
  'W01-offer-by-value': {
    title: 'An offer in the link itself is accepted',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/credential-offer-object.1',
      '1.resources-and-their-fields/credential-offer-object.2',
      '1.resources-and-their-fields/credential-offer-object.3',
      '1.resources-and-their-fields/credential-offer-object.5',
      '1.what-the-service-does.3',
    ],
    description: 'The QR code contains the complete offer. All other checks depend on it.',
    sends: 'A link openid-credential-offer://?credential_offer=… of a fully conformant issuer.',
    decides: 'The kit must deliver the credential, and the wallet must report it and list it.',
    fix: 'Read the offer from credential_offer in the link, redeem its pre-authorized_code, request the credential and store it. Report success only after storing it, and list it.',
    async run(context) {
      const { session, answer, credential } = await takeCredential(context)
      const { wallet } = context
      const taken = `The wallet accepted the offer by value: ${describeRequests(session)}`
      if (!wallet.can.list) return held(taken, { verdictSource: answer.source })
      const { credentials, outcome, reason, source: verdictSource } = await wallet.list()
      if (outcome !== 'done') return inconclusive(`${taken} ${reason}`, { verdictSource })
      return listsCredential(credentials, credential)
        ? held(`${taken} Its list contains the credential.`, { verdictSource })
        : broken('The wallet reported the credential, but lists neither its JWT nor its jti.', {
            verdictSource,
          })
    },
  },
  'W02-offer-by-reference': {
    title: 'An offer by reference is fetched and accepted',
    level: 'spec',
    expectation: 'accept',
    control: 'offers',
    rows: ['1.resources-and-their-fields/credential-offer-object.6'],
    description:
      'Long offers do not fit into a QR code. Issuers then send the URL of the offer instead.',
    sends:
      'A link openid-credential-offer://?credential_offer_uri=… whose address returns the offer.',
    decides: 'The wallet must request the offer and report the credential that the kit delivered.',
    fix: 'If the link has credential_offer_uri, send GET to that address and process the returned JSON like an offer in the link.',
    async run(context) {
      const { session } = await takeCredential(context, {
        link: (issuer) => issuer.offerByReference(),
      })
      return session.requestsTo('offer').length > 0
        ? held(`The wallet fetched and accepted the offer: ${describeRequests(session)}`, {
            verdictSource: 'requests for the offer',
          })
        : broken('The wallet never fetched the offer.', { verdictSource: 'requests for the offer' })
    },
  },
  'W03-offer-without-pin': {
    title: 'An offer that requires no PIN is accepted without a PIN',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/credential-offer-object.4',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    ],
    description:
      'Issuers omit tx_code if no PIN is required. A wallet that requires tx_code cannot accept such an offer.',
    sends: 'An offer without tx_code, and no PIN for the wallet.',
    decides:
      'The token request must not contain a tx_code. Without a token request, the wallet must at least accept an offer with a PIN.',
    fix: 'Send tx_code only if the grant of the offer has tx_code. Accept offers without it, and do not send an empty tx_code.',
    async run(context) {
      const session = context.openIssuer()
      const { outcome, reason } = await context.wallet.acceptOffer({ link: session.offerByValue() })
      const credential = session.delivered.at(-1)
      if (outcome === 'done' && credential !== undefined) context.noteHeld(credential)
      else context.noteChanged()
      const [request] = session.requestsTo('token')
      const verdictSource = 'token request'
      if (request === undefined) {
        if (outcome !== 'refused')
          return inconclusive(`The wallet sent no token request: ${reason}`)
        await asPremise(
          'accepting an offer with a PIN',
          takeCredential(context, { behaviour: { pin: '4935' } }),
        )
        const required = 'The wallet accepts an offer with a PIN, but rejects one without'
        return broken(`${required}: ${reason}`, { verdictSource: 'report of the wallet' })
      }
      const sent = new URLSearchParams(request?.body).get('tx_code')
      return sent === null
        ? held('The wallet redeemed the offer without a PIN.', { verdictSource })
        : broken('The token request contains a tx_code, but the offer requires none.', {
            verdictSource,
            actual: sent,
          })
    },
  },
  'W04-numeric-pin': {
    title: 'A PIN of four to eight digits is sent unchanged',
    level: 'spec',
    expectation: 'accept',
    control: 'offers',
    rows: [
      '1.resources-and-their-fields/credential-offer-object.4',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    ],
    description: 'A PIN is a string. A wallet that reads it as a number loses leading zeros.',
    sends:
      'Three offers with tx_code {length 4, 6, 8, input_mode numeric}. Some PINs begin with zero.',
    decides:
      'The tx_code of each token request must be the PIN, and the kit must deliver the credential.',
    fix: 'Keep the PIN as a string from the input to tx_code in the token request: do not parse it as a number or remove zeros. Accept four to eight digits.',
    run: (context) => findPinsSent(context, ['4935', '049352', '00718293']),
  },
  'W05-text-pin': {
    title: 'A PIN of letters and symbols is sent unchanged',
    level: 'final',
    expectation: 'accept',
    control: 'offers',
    clauses: ['OpenID4VCI 1.0, 4.1.1'],
    description:
      'input_mode may be text. Capital letters and characters with a meaning in forms must arrive unchanged.',
    sends:
      'An offer with tx_code {input_mode text}, and a PIN with capital letters, an ampersand and a plus sign.',
    decides:
      'The tx_code of the token request must be the PIN, and the kit must deliver the credential.',
    fix: 'Accept letters and symbols if input_mode of tx_code is text. Send the PIN unchanged, with form encoding: & as %26, + as %2B.',
    run: (context) => findPinsSent(context, ['Kx7+p&Q=9z']),
  },
  'W06-pin-not-asked-for': {
    title: 'A PIN that the offer does not require is not sent',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
      '1.resources-and-their-fields/credential-offer-object.4',
    ],
    description:
      'A wallet sends a PIN only if the offer requires it. A wallet that always asks for a PIN trains people to type PINs anywhere.',
    sends: 'An offer without tx_code, with a PIN for the wallet anyway.',
    decides:
      'The token request must not contain a tx_code, and the kit must deliver the credential.',
    fix: 'Ask for a PIN only if the grant has tx_code. Otherwise omit tx_code from the token request, even if a PIN was entered.',
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
        return broken('The wallet sent a PIN that the offer did not require.', {
          verdictSource,
          actual: sent,
        })
      }
      const [credential] = session.delivered
      if (outcome !== 'done' || credential === undefined) return inconclusive(reason)
      context.noteHeld(credential)
      return held('The wallet accepted the offer and did not send the PIN.', { verdictSource })
    },
  },
  'W14-unknown-members': {
    title: 'Unknown members are ignored',
    level: 'final',
    expectation: 'accept',
    control: 'offers',
    clauses: ['OpenID4VCI 1.0, 4.1.1', 'OpenID4VCI 1.0, 12.2.4'],
    description:
      'Issuers send more than the profile defines: display names, encryption, members of later revisions. A wallet that rejects them will fail with later issuers.',
    sends: 'An offer, a grant and metadata with several kinds of unknown members.',
    decides: 'The kit must deliver the credential, and the wallet must report it.',
    fix: 'Ignore unknown members of the offer, its grant, the metadata and its entries. Validate only the members that you use.',
    async run(context) {
      const unknown = { x_number: 7, x_list: [1, { deep: true }], x_object: { a: null } }
      const { session, answer } = await takeCredential(context, {
        behaviour: { offer: unknown, grant: unknown, metadata: unknown, entry: unknown },
      })
      return held(`The wallet ignored the unknown members: ${describeRequests(session)}`, {
        verdictSource: answer.source,
      })
    },
  },
  'W26-issuer-key-rolled': {
    title: 'A credential signed with the old key during an overlap is kept',
    level: 'practice',
    expectation: 'accept',
    control: 'offers',
    description:
      'Issuers roll keys with an overlap. Signatures of the old key from that time stay valid, according to the DID document of that time.',
    sends:
      'A credential signed ten minutes ago with the old key of an issuer. The old key ended a minute ago; the new key has been valid for long.',
    decides: 'The wallet must report the credential.',
    fix: 'Verify a credential with the DID document of the time in iat: send that time as valid-at to the DID registry. Do not require that the key is valid now.',
    async run(context) {
      const { world } = context.trust
      const issuer = rollKey(world, { endedAt: context.now() - 60 })
      const { session, answer } = await takeCredential(context, {
        behaviour: {
          credential: ({ holderDid, now }) =>
            issueCredential(world, { holderDid, now: now - 600, issuer }),
        },
      })
      return held(
        `The wallet kept the credential signed with the old key: ${describeRequests(session)}`,
        {
          verdictSource: answer.source,
        },
      )
    },
  },
  'W58-unknown-grant': {
    title: 'An unknown grant is ignored',
    level: 'final',
    expectation: 'accept',
    control: 'offers',
    clauses: ['OpenID4VCI 1.0, 4.1.1'],
    description: 'An issuer may offer several grants. A wallet needs to support only one of them.',
    sends:
      'An offer with an unknown grant and authorization_code, as well as the pre-authorized code.',
    decides: 'The wallet must use the pre-authorized code.',
    fix: 'Use the grant urn:ietf:params:oauth:grant-type:pre-authorized_code, and ignore all others in grants.',
    async run(context) {
      const { answer } = await takeCredential(context, {
        behaviour: {
          otherGrants: {
            authorization_code: { issuer_state: 'a-state' },
            'urn:example:grant-type:unknown': { list: [1] },
          },
        },
      })
      return held('The wallet used the pre-authorized code and ignored the other grants.', {
        verdictSource: answer.source,
      })
    },
  },
  'W145-unusual-offers': {
    title: 'A valid offer of an unusual form is accepted',
    level: 'final',
    expectation: 'accept',
    control: 'offers',
    clauses: ['OpenID4VCI 1.0, 4.1.1', 'OpenID4VCI 1.0, 12.2.4', 'RFC 6749, 5.1'],
    description:
      'Many members are optional, and issuers choose codes and tokens freely. A wallet that expects one form fails with other issuers.',
    sends:
      'Offers with an empty tx_code, with members in capitals as well, with unknown members in tx_code, deferral and credential response, with special characters, one or 2,001 characters in code and token, with an unknown parameter in the link, with a query in credential_offer_uri and in the endpoints, with a charset in Content-Type, with a slash at the end of credential_issuer, whose metadata omits suites and methods, lists additional ones or has many entries, whose token response has no lifetimes, deferred with 202, and deferred to another deferred_credential_endpoint.',
    decides:
      'The kit must deliver each credential, and the wallet must report it. Code, PIN, token and queries must arrive unchanged.',
    fix: 'Decode the link once, with + as a space. Treat the members of tx_code, suites, methods and lifetimes as optional. Poll the deferred_credential_endpoint of the metadata. Send code, PIN, token and addresses unchanged, with form encoding in the token request.',
    timeLimitMilliseconds: 300_000,
    run: (context) =>
      findEach(casesFor(context, unusualOffers), ({ what, problem, fix, ...offer }) =>
        asCase(
          `An offer ${what}`,
          takeCredential(context, offer).then(({ session }) => {
            const verdictSource = 'requests to the issuer'
            const found = problem?.(session)
            return found === undefined
              ? held('The wallet accepted it.', { verdictSource })
              : broken(found, { verdictSource })
          }),
          fix,
        ),
      ),
  },
  'W91-two-credentials-offered': {
    title: 'Each offered credential is requested',
    level: 'practice',
    expectation: 'accept',
    control: 'offers',
    description:
      'credentials is a list. A wallet that requests only the first one leaves the others with the issuer. The profile does not require all of them, and a holder may choose.',
    sends: 'An offer of two ids that are both in the metadata.',
    decides: 'The kit must deliver two credentials, and the wallet must report them.',
    fix: 'Send a credential request for each id in credentials of the offer, with a new proof each, and store every credential.',
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
        ? held('The wallet requested both credentials.', { verdictSource })
        : broken(`The wallet requested ${length} of two credentials and reported success.`, {
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

interface UnusualOffer extends Pick<TakeCredentialOptions, 'behaviour' | 'link'> {
  /** As text after `An offer`. */
  readonly what: string
  /** What is wrong with the requests; undefined if nothing is. */
  readonly problem?: (session: IssuerSession) => string | undefined
  /** What to change in a wallet that does not accept it. */
  readonly fix: string
}

const specialCode = 'a+b/c==&d%41~é ñ'
const specialToken = 'a-._~+/b=='

const withCharset: ReplaceAnswer = (usual) => ({
  ...usual,
  contentType: 'application/json; charset=utf-8',
})

const anyText =
  'Accept ids, codes, tokens and nonces of any length, from one character, and send them unchanged.'

const keepQuery =
  'Use addresses of the link and the metadata unchanged, with their query: do not decode, encode or sort it again, and do not drop a repeated parameter.'

const unusualOffers: readonly UnusualOffer[] = [
  {
    what: 'with an empty tx_code',
    fix: 'Ask for a PIN if the grant has tx_code, even an empty one: length, input_mode and description are optional.',
    behaviour: { pin: '4935', grant: { tx_code: {} } },
    problem: (session) =>
      formOf(session).get('tx_code') === '4935' ? undefined : 'The token request lacks the PIN.',
  },
  {
    what: 'with unknown members in tx_code',
    fix: 'Ignore unknown members of tx_code.',
    behaviour: { pin: '4935', grant: { tx_code: { length: 4, x_unknown: [{}] } } },
  },
  {
    what: 'with special characters in its code',
    fix: 'Encode pre-authorized_code as a form value: + as %2B, & as %26, % as %25, letters as UTF-8. URLSearchParams and similar classes do.',
    behaviour: { grant: { 'pre-authorized_code': specialCode } },
    problem: (session) =>
      formOf(session).get('pre-authorized_code') === specialCode
        ? undefined
        : 'The code did not arrive unchanged.',
  },
  {
    what: 'with special characters in the access token',
    fix: 'Copy access_token unchanged after Bearer in Authorization: it may have - . _ ~ + / and =.',
    behaviour: { token: { access_token: specialToken } },
    problem: (session) =>
      session.requestsTo('credential')[0]?.headers.authorization === `Bearer ${specialToken}`
        ? undefined
        : 'The access token did not arrive unchanged.',
  },
  {
    what: 'whose metadata lists neither suites nor methods',
    fix: 'Treat cryptographic_suites_supported and cryptographic_binding_methods_supported as optional: without them, use your usual key.',
    behaviour: {
      entry: {
        cryptographic_binding_methods_supported: undefined,
        cryptographic_suites_supported: undefined,
      },
    },
  },
  {
    what: 'whose metadata lists additional suites and methods, before those of the profile',
    fix: 'Ignore suites and methods that you do not know, and use the first one that you support, not the first of the list.',
    behaviour: {
      entry: {
        cryptographic_binding_methods_supported: ['did:web', 'did:jwk', 'did:key'],
        cryptographic_suites_supported: ['RS256', 'ES256', 'EdDSA', 'ES256K'],
      },
    },
  },
  {
    what: 'whose metadata has 41 entries',
    fix: 'Find the offered id among all entries of credentials_supported, and ignore entries of other formats.',
    behaviour: {
      metadata: {
        credentials_supported: [
          ...Array.from({ length: 40 }, (_, index) => ({
            ...entry,
            id: `SomeOtherCredential${index}`,
            format: 'vc+sd-jwt',
            types: ['SomeOther'],
          })),
          { ...entry, id: 'OrgPortalLearCredential' },
        ],
      },
    },
  },
  {
    what: 'whose metadata lists its types in another order',
    fix: 'Accept the types of an entry in any order: do not take the last one for the type of the credential.',
    behaviour: { entry: { types: entry.types.toReversed() } },
  },
  {
    what: 'with ids, codes and tokens of one character',
    fix: anyText,
    behaviour: {
      offer: { credentials: ['X'] },
      entry: { id: 'X' },
      grant: { 'pre-authorized_code': 'c' },
      token: { access_token: 't', c_nonce: 'n' },
    },
    problem: (session) =>
      session.proofs[0]?.payload.nonce === 'n' ? undefined : 'The proof lacks the nonce.',
  },
  {
    what: 'whose credential_issuer ends with a slash',
    fix: 'Remove a slash at the end of credential_issuer only to add /.well-known/openid-credential-issuer. Compare it with the metadata unchanged, and put it unchanged into aud of the proof.',
    behaviour: {
      offer: (issuer) => ({ credential_issuer: `${issuer}/` }),
      metadata: (issuer) => ({ credential_issuer: `${issuer}/` }),
    },
    problem: ({ proofs, credentialIssuer }) =>
      [proofs[0]?.payload.aud].flat().join() === `${credentialIssuer}/`
        ? undefined
        : 'aud of the proof lacks the slash.',
  },
  {
    what: 'whose response defers with the status 202',
    fix: 'If the credential response has acceptance_token, poll the deferred endpoint, regardless of whether its status is 200 or 202.',
    behaviour: {
      deferredPolls: 0,
      answers: { credential: (usual) => ({ ...usual, status: 202 }) },
    },
  },
  {
    what: 'whose deferral has unknown members',
    fix: 'Ignore unknown members of a response with acceptance_token.',
    behaviour: { deferredPolls: 0, deferral: { x_unknown: [{}] } },
  },
  {
    what: 'whose metadata names its deferred_credential_endpoint',
    fix: 'Poll the deferred_credential_endpoint of the metadata. Do not build its address yourself.',
    behaviour: {
      deferredPolls: 0,
      metadata: (issuer) => ({ deferred_credential_endpoint: `${issuer}/later` }),
    },
    problem: (session) =>
      session.requestsTo('deferred').every(({ path }) => path === '/later')
        ? undefined
        : 'A poll was not sent to deferred_credential_endpoint.',
  },
  {
    what: 'whose token response has no lifetimes',
    fix: 'Treat expires_in and c_nonce_expires_in as optional: without them, use the token and c_nonce until the issuer rejects them.',
    behaviour: { token: { expires_in: undefined, c_nonce_expires_in: undefined } },
    problem: ({ proofs, cNonce }) =>
      proofs[0]?.payload.nonce === cNonce ? undefined : 'The proof lacks the nonce.',
  },
  {
    what: 'with a code, tokens and a nonce of 2,001 characters',
    fix: anyText,
    behaviour: {
      deferredPolls: 0,
      grant: { 'pre-authorized_code': longToken },
      token: { access_token: longToken, c_nonce: longToken },
      deferral: { acceptance_token: longToken },
    },
    problem(session) {
      const [poll] = session.requestsTo('deferred')
      const sent = [
        formOf(session).get('pre-authorized_code'),
        session.requestsTo('credential')[0]?.headers.authorization?.replace('Bearer ', ''),
        session.proofs[0]?.payload.nonce,
        membersIn(poll?.body ?? '')?.acceptance_token,
      ]
      return sent.every((each) => each === longToken)
        ? undefined
        : 'A code, a token or a nonce did not arrive unchanged.'
    },
  },
  {
    what: 'with spaces in its JSON, which are plus signs in the link',
    fix: 'Decode the parameters of the link like those of a form: + is a space.',
    link: (session) => {
      const offer = new URL(session.offerByValue()).searchParams.get('credential_offer') ?? ''
      const credential_offer = JSON.stringify(JSON.parse(offer), null, 1)
      return `openid-credential-offer://?${new URLSearchParams({ credential_offer })}`
    },
  },
  {
    what: 'with an unknown parameter in its link',
    fix: 'Ignore unknown parameters of the link.',
    link: (session) => `${session.offerByValue()}&x_unknown=1`,
  },
  {
    what: 'at a credential_offer_uri with a query',
    fix: keepQuery,
    link: (session) => session.offerByReference(unusualQuery),
    problem: (session) => queryProblem(session.requestsTo('offer')),
  },
  {
    what: 'whose endpoints have a query',
    fix: keepQuery,
    behaviour: {
      deferredPolls: 0,
      metadata: (issuer) => ({
        token_endpoint: `${issuer}/token${unusualQuery}`,
        credential_endpoint: `${issuer}/credential${unusualQuery}`,
        deferred_credential_endpoint: `${issuer}/later${unusualQuery}`,
      }),
    },
    problem: ({ requestsTo }) =>
      queryProblem([
        // The profile has the token endpoint at a fixed path, and not in the metadata.
        ...requestsTo('token').filter(({ search }) => search !== ''),
        ...requestsTo('credential'),
        ...requestsTo('deferred'),
      ]),
  },
  {
    what: 'of an issuer whose responses name a charset',
    fix: 'Compare only the media type of Content-Type with application/json, and ignore its parameters, such as charset.',
    link: (session) => session.offerByReference(),
    behaviour: {
      answers: {
        offer: withCharset,
        metadata: withCharset,
        token: withCharset,
        credential: withCharset,
      },
    },
  },
  {
    what: 'with the same members in capitals in grant and token response',
    fix: 'Compare the names of members with regard to case, and ignore unknown ones. Some JSON libraries need an option for that, or a map instead of a structure.',
    behaviour: {
      grant: { 'PRE-AUTHORIZED_CODE': 'another-code' },
      token: { ACCESS_TOKEN: 'another-token', C_NONCE: 'another-nonce' },
    },
    problem: (session) =>
      formOf(session).get('pre-authorized_code') === session.preAuthorizedCode &&
      session.requestsTo('credential')[0]?.headers.authorization ===
        `Bearer ${session.accessToken}` &&
      session.proofs[0]?.payload.nonce === session.cNonce
        ? undefined
        : 'The wallet used a member whose name is in capitals.',
  },
  {
    what: 'whose credential response has unknown members and no further nonce',
    fix: 'Ignore unknown members of the credential response, and treat c_nonce in it as optional.',
    behaviour: { issued: { x_unknown: [{}], notification_id: 'a-notification' } },
  },
]

const formOf = (session: IssuerSession) => new URLSearchParams(session.requestsTo('token')[0]?.body)

/**
 * Adds an issuer with a rolled key to a trust world. Returns it with the old key, which ended at
 * `endedAt` (Unix seconds). The new key has been valid for long.
 */
function rollKey(world: TrustWorld, { endedAt }: { readonly endedAt: number }): Party {
  const issuer = registerIssuer(world)
  endKey(world, issuer, endedAt)
  const key = createPrivateJwk('secp256k1', randomBytes(32))
  world.use(`${issuer.did}#${verificationMethodIdOf(key)}`, key, 'assertionMethod')
  return issuer
}
