import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { type CheckRow, defineChecks } from '../../../kit/check.ts'
import { findEach } from '../../../kit/find-each.ts'
import { closestMisses, nearMisses, otherTypes } from '../../../kit/near-misses.ts'
import type { WalletContext } from '../context.ts'
import type {
  IssuerBehaviour,
  IssuerSession,
  Members,
  ReplaceAnswer,
} from '../counterparts/issuer-session.ts'
import {
  casesFor,
  type ExpectedOfferRefusal,
  findOfferRefused,
} from '../findings/issuance-findings.ts'

/** Offers that a wallet must reject, sent one after the other. */
interface WrongOffers
  extends Omit<CheckRow<WalletContext>, 'run' | 'expectation' | 'decides'>,
    Partial<Pick<CheckRow<WalletContext>, 'expectation' | 'decides'>>,
    Omit<ExpectedOfferRefusal, 'why'> {
  readonly offers: readonly WrongOffer[]
}

interface WrongOffer extends IssuerBehaviour, Pick<ExpectedOfferRefusal, 'why'> {
  /** The PIN that the holder enters; by default none. */
  readonly given?: string
  /** A failure with this message counts as a rejection. */
  readonly orFailsBy?: RegExp
  /** By default the offer by value. */
  readonly link?: (session: IssuerSession) => string
}

type FullAnswer = Parameters<ReplaceAnswer>[0]

const byReference = (session: IssuerSession) => session.offerByReference()

export const checks = defineChecks<WalletContext, WrongOffers>(
  {
    'W07-metadata-of-another-issuer': {
      title: 'Metadata that names another issuer is not used',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, 12.2.4'],
      description:
        'Otherwise an attacker could copy metadata: the holder would see the name of one issuer and deal with the attacker.',
      sends:
        'Offers whose issuer returns metadata with the credential_issuer of another issuer, or with a similar or empty one, null, or a list.',
      fix: 'Compare credential_issuer in the metadata with that in the offer, character by character. If they differ, show an error before you send the token request.',
      after: 'metadata',
      offers: [
        {
          why: 'the metadata is that of another issuer',
          metadata: { credential_issuer: 'https://issuer.example' },
        },
        {
          why: 'credential_issuer of the metadata has a slash at its end',
          metadata: (issuer) => ({ credential_issuer: `${issuer}/` }),
        },
        ...[...nearMisses, ...otherTypes].map(({ what, change }) => ({
          why: `credential_issuer of the metadata ${what}`,
          metadata: (issuer: string) => ({ credential_issuer: change(issuer) }),
        })),
      ],
    },
    'W08-no-metadata': {
      title: 'The wallet requests nothing without usable metadata',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, 12.2.2'],
      description:
        'A wallet that guesses the endpoints sends codes to addresses that the issuer did not name.',
      sends:
        'Offers whose issuer answers the metadata request with 404, 500, its metadata under 404, 410 or 500, an HTML page, and JSON in which a required member is missing or of another type.',
      decides:
        'The wallet must not send a token request before the verb ends. It must reject 404 and HTML, and report the 500.',
      fix: 'Send a token request only if the metadata has status 200 and is a JSON object with an http or https URL in credential_endpoint, and with id, format and types (a list of strings) in the offered entry. Otherwise show an error: do not guess.',
      after: 'metadata',
      offers: [
        {
          why: 'the metadata is missing (404)',
          answers: { metadata: () => ({ status: 404, body: '{"error":"not_found"}' }) },
        },
        {
          why: 'the metadata is an error (500)',
          // A wallet that reports the failure of the issuer is correct, although it rejects nothing.
          orFailsBy: /500/,
          answers: { metadata: () => ({ status: 500, body: '{"error":"internal_error"}' }) },
        },
        ...[404, 410, 500].map((status) => ({
          why: `the metadata has the status ${status}`,
          orFailsBy: /./,
          answers: { metadata: ((usual) => ({ ...usual, status })) satisfies ReplaceAnswer },
        })),
        {
          why: 'the metadata is an HTML page',
          answers: {
            metadata: () => ({ status: 200, contentType: 'text/html', body: '<h1>It works!</h1>' }),
          },
        },
        ...['null', '[]', '"metadata"', '{}'].map((body) => ({
          why: `the metadata is ${body}`,
          answers: { metadata: () => ({ status: 200, body }) },
        })),
        ...[undefined, null, '', '/credential', 'ftp://issuer.example/', 7].map(
          (credential_endpoint) => ({
            why: `credential_endpoint is ${JSON.stringify(credential_endpoint) ?? 'missing'}`,
            metadata: { credential_endpoint },
          }),
        ),
        ...[undefined, null, [], {}, [null], ['OrgPortalLearCredential'], 'a list'].map(
          (credentials_supported) => ({
            why: `credentials_supported is ${JSON.stringify(credentials_supported) ?? 'missing'}`,
            metadata: { credentials_supported },
          }),
        ),
        ...[
          { id: undefined },
          { id: 7 },
          { format: undefined },
          { format: null },
          { types: undefined },
          { types: [] },
          { types: 'OrgPortalLearCredential' },
          { types: [7] },
          { types: [['OrgPortalLearCredential']] },
          ...['cryptographic_binding_methods_supported', 'cryptographic_suites_supported'].flatMap(
            (name) => ['did:key ES256K EdDSA', {}, [null], [7]].map((value) => ({ [name]: value })),
          ),
        ].map((entry) => ({
          why: `the offered entry has ${describeMember(entry)}`,
          entry,
        })),
      ],
    },
    'W09-offered-id-unknown': {
      title: 'An offered credential that is not in the metadata is not requested',
      level: 'practice',
      description:
        'The ids of the offer name entries of the metadata. Without the entry, the wallet knows neither format nor type.',
      sends: 'Offers of NoSuchCredential, and of ids similar to the one in the metadata.',
      fix: 'Look up each id of credentials in credentials_supported before you send the token request. Compare ids exactly. If an entry is missing, show an error.',
      after: 'metadata',
      offers: [
        {
          why: 'the offered credential is not in the metadata',
          offer: { credentials: ['NoSuchCredential'] },
        },
        ...closestMisses.map(({ what, change }) => ({
          why: `the offered id ${what}`,
          offer: { credentials: [change('OrgPortalLearCredential')] },
        })),
      ],
    },
    'W10-no-common-suite': {
      title: 'An offer without a suite that the wallet supports is not accepted',
      level: 'practice',
      description:
        'Issuers declare the suites that they accept. They reject a proof with another suite, after the code is used.',
      sends:
        'Offers whose metadata declares only suites that do not exist, another DID method, or another format.',
      fix: 'Compare cryptographic_suites_supported, cryptographic_binding_methods_supported and format of the offered entry with your keys and formats before you send the token request. If none matches, show an error.',
      after: 'metadata',
      offers: [
        {
          why: 'the issuer accepts no suite that exists',
          entry: { cryptographic_suites_supported: ['NoSuchSuite'] },
        },
        {
          why: 'the issuer accepts only suites with similar names',
          entry: {
            cryptographic_suites_supported: ['ES256K2', 'ES25', 'es256k', 'EdDSA2', 'eddsa'],
          },
        },
        {
          why: 'the issuer accepts no DID method of wallets',
          entry: { cryptographic_binding_methods_supported: ['did:web', 'did:key2', 'jwk', 'did'] },
        },
        ...[
          'vc+sd-jwt',
          'jwt_vc_json-ld',
          ...closestMisses.map(({ change }) => change('jwt_vc_json')),
        ].map((format) => ({
          why: `the offered entry has the format ${format}`,
          entry: { format },
        })),
      ],
    },
    'W11-http-endpoint': {
      title: 'A wallet does not use an http endpoint of an https issuer',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, 12.2.4'],
      description:
        'Anyone on the network path can read and use an access token and a proof sent over HTTP.',
      sends: 'An offer of an https issuer whose metadata contains an http credential_endpoint.',
      decides:
        'The wallet must not send a credential request before the verb ends, and must report a rejection.',
      fix: 'If credential_issuer uses https, require https in credential_endpoint. Otherwise show an error before you send the access token.',
      needs: ['https'],
      after: 'metadata',
      withheld: 'credential',
      offers: [
        {
          why: 'the credential endpoint uses http',
          metadata: (issuer) => ({
            credential_endpoint: `${issuer.replace('https:', 'http:')}/credential`,
          }),
        },
      ],
    },
    'W59-no-known-grant': {
      title: 'An offer without the pre-authorized code is not accepted',
      level: 'practice',
      description:
        'The profile defines only the pre-authorized code. Without it, the requests of a wallet have no meaning.',
      sends: 'Offers whose only grant is an unknown one, with no grant, and without grants.',
      fix: 'Require urn:ietf:params:oauth:grant-type:pre-authorized_code in grants. Without it, show an error, and do not use the code of another grant.',
      offers: [
        {
          why: 'the offer has no pre-authorized code',
          offer: { grants: { 'urn:example:grant-type:unknown': { code: 'a-code' } } },
        },
        { why: 'the offer has no grants', offer: { grants: undefined } },
        { why: 'grants of the offer is empty', offer: { grants: {} } },
      ],
    },
    'W60-huge-metadata': {
      title: 'The wallet stops reading 8 MB of metadata',
      level: 'practice',
      expectation: 'advice',
      description:
        'A QR code can lead to any server. An endless response fills the memory of a wallet without a limit.',
      sends: 'An offer whose issuer returns valid metadata with 8 MB of padding.',
      fix: 'Limit the size of responses while you read them, such as to 1 MiB, regardless of Content-Length. Above the limit, abort and show an error.',
      after: 'metadata',
      offers: [
        {
          why: 'the metadata has more than 8 MB',
          orFailsBy: /large|size|bytes|limit/i,
          answers: {
            metadata: (usual) => ({
              ...usual,
              body: `${usual.body?.slice(0, -1)},"padding":"${'x'.repeat(8 * 1024 * 1024)}"}`,
            }),
          },
        },
      ],
    },
    'W80-offer-malformed': {
      title: 'An invalid offer is not accepted',
      level: 'practice',
      description:
        'A QR code can contain anything. The wallet must reject an invalid offer without a crash.',
      sends:
        'Links without an offer, with two offers, or with an offer that is not a JSON object, and offers whose credential_issuer, credentials, grants, pre-authorized_code or tx_code is missing, null, empty, repeated or of another type.',
      fix: 'Before the token request, require one of credential_offer and credential_offer_uri, and validate each member: credential_issuer is a URL without query and fragment, credentials a list of different ids, tx_code an object, its length a positive integer. Otherwise show an error.',
      offers: [
        { why: 'the offer does not name an issuer', offer: { credential_issuer: undefined } },
        { why: 'the offer contains no credentials', offer: { credentials: [] } },
        { why: 'the offer is not JSON', link: (session) => session.offerByValue().slice(0, -3) },
        {
          why: 'the link has an offer as well as the address of one',
          link: (session) =>
            `${session.offerByValue()}&credential_offer_uri=${encodeURIComponent(`${session.credentialIssuer}/offer`)}`,
        },
        {
          why: 'the link has two offers',
          link: (session) => `${session.offerByValue()}&credential_offer=%7B%7D`,
        },
        {
          why: 'credential_offer_uri is a file',
          link: () => 'openid-credential-offer://?credential_offer_uri=file%3A%2F%2F%2Fetc%2Fhosts',
        },
        {
          why: 'credential_offer_uri is relative',
          link: () => 'openid-credential-offer://?credential_offer_uri=%2Foffer',
        },
        { why: 'the link has no offer', link: () => 'openid-credential-offer://?x=1' },
        { why: 'the link is not a URL', link: () => 'an offer' },
        {
          why: 'the link has two addresses of offers',
          link: (session) => {
            const link = session.offerByReference()
            return `${link}&${link.slice(link.indexOf('?') + 1)}`
          },
        },
        ...['?x=1', '#x'].map((end) => ({
          why: `credential_issuer ends with ${end}`,
          offer: (issuer: string) => ({ credential_issuer: `${issuer}${end}` }),
          // What a wallet finds that ignores this, or appends its paths.
          metadata: (issuer: string) => ({
            credential_issuer: `${issuer}${end}`,
            token_endpoint: `${issuer}/token`,
          }),
          everywhere: 'metadata' as const,
        })),
        ...['null', '[]', '"offer"', '7'].map((json) => ({
          why: `the offer is ${json}`,
          link: () => `openid-credential-offer://?credential_offer=${encodeURIComponent(json)}`,
        })),
        ...[null, [], 'grants'].map((grants) => ({
          why: `grants is ${JSON.stringify(grants)}`,
          offer: { grants },
        })),
        ...[null, 7, 'an issuer', ['https://issuer.example']].map((credential_issuer) => ({
          why: `credential_issuer is ${JSON.stringify(credential_issuer)}`,
          offer: { credential_issuer },
        })),
        ...[
          null,
          'OrgPortalLearCredential',
          [7],
          [''],
          ['OrgPortalLearCredential', null],
          ['OrgPortalLearCredential', 'OrgPortalLearCredential'],
        ].map((credentials) => ({
          why: `credentials is ${JSON.stringify(credentials)}`,
          offer: { credentials },
        })),
        ...[undefined, null, '', 7].map((code) => ({
          why: `pre-authorized_code is ${JSON.stringify(code) ?? 'missing'}`,
          grant: { 'pre-authorized_code': code },
        })),
        ...[null, 'grant', []].map((grant) => ({
          why: `the grant is ${JSON.stringify(grant)}`,
          offer: { grants: { [preAuthorizedCodeGrant]: grant } },
        })),
        ...[null, true, '4935', []].map((tx_code) => ({
          why: `tx_code is ${JSON.stringify(tx_code)}`,
          grant: { tx_code },
          given: '4935',
        })),
        ...[{ length: 0 }, { length: -4 }, { length: 4.5 }, { length: '4' }, { input_mode: 7 }].map(
          (tx_code) => ({
            why: `tx_code is ${JSON.stringify(tx_code)}`,
            grant: { tx_code },
            given: '4935',
          }),
        ),
      ],
    },
    'W144-offer-reference-unusable': {
      title: 'Without a usable offer at credential_offer_uri, the wallet requests nothing',
      level: 'practice',
      description:
        'The address may return a page, an error or the offer of a session that is over. The wallet must not guess an offer.',
      sends:
        'Links whose credential_offer_uri returns 404, 410, 500, an HTML page, and JSON that is not a valid offer.',
      fix: 'Continue only if credential_offer_uri returns 200 with a JSON object that is a valid offer. Otherwise show an error and send no more requests.',
      after: 'offer',
      offers: [
        ...[404, 410, 500].map((status) => ({
          why: `the offer is answered with ${status}`,
          orFailsBy: /./,
          link: byReference,
          answers: { offer: (usual: FullAnswer) => ({ ...usual, status }) },
        })),
        ...['<h1>It works!</h1>', 'null', '[]', '{}', ''].map((body) => ({
          why: `the offer is ${body === '' ? 'empty' : body}`,
          orFailsBy: /./,
          link: byReference,
          answers: { offer: () => ({ status: 200, body }) },
        })),
        {
          why: 'credentials is missing in the offer',
          link: byReference,
          offer: { credentials: undefined },
        },
      ],
    },
    'W111-token-response-unusable': {
      title: 'A token response without a usable token leads to no credential request',
      level: 'practice',
      description:
        'A wallet that continues with the word undefined, or with a token that it does not know how to use, hides the mistake of the issuer.',
      sends:
        'Token responses whose access_token, token_type or c_nonce is missing, null, empty, slightly different, not printable or of another type, as an HTML page or other JSON, and with the status 400, 401 and 500.',
      decides:
        'The wallet must not send a credential request before the verb ends, and must not report success.',
      fix: 'Continue only if the token endpoint returns 200 with a string of printable characters in access_token, token_type Bearer, and c_nonce, if present, a non-empty string. Otherwise show an error.',
      after: 'token',
      withheld: 'credential',
      offers: [
        ...[undefined, null, '', 7, ['a-token'], 'a token', 'a\ntoken', 'token€'].map(
          (access_token) => ({
            why: `access_token is ${JSON.stringify(access_token) ?? 'missing'}`,
            orFailsBy: /./,
            token: { access_token },
          }),
        ),
        ...[undefined, null, '', 'DPoP', 'Bearer2', '2Bearer', 'Beare', ['Bearer']].map(
          (token_type) => ({
            why: `token_type is ${JSON.stringify(token_type) ?? 'missing'}`,
            orFailsBy: /./,
            token: { token_type },
          }),
        ),
        ...[null, '', 7, ['a-nonce']].map((c_nonce) => ({
          why: `c_nonce is ${JSON.stringify(c_nonce)}`,
          orFailsBy: /./,
          token: { c_nonce },
        })),
        ...['null', '[]', '"a-token"', '{', ''].map((body) => ({
          why: `the token response is ${body || 'empty'}`,
          orFailsBy: /./,
          answers: { token: () => ({ status: 200, body }) },
        })),
        {
          why: 'the token response is an HTML page',
          orFailsBy: /./,
          answers: {
            token: () => ({ status: 200, contentType: 'text/html', body: '<h1>It works!</h1>' }),
          },
        },
        ...[400, 401, 500].map((status) => ({
          why: `the status of the token response is ${status}`,
          orFailsBy: /./,
          answers: { token: (usual: FullAnswer) => ({ ...usual, status }) },
        })),
      ],
    },
    'W149-deferral-unusable': {
      title: 'A response that neither delivers nor defers leads to no poll',
      level: 'practice',
      description:
        'A wallet that polls with the word undefined, or with an empty token, waits for a credential that the issuer never prepared.',
      sends:
        'Responses of the credential endpoint whose acceptance_token is missing, null, empty or of another type, and valid deferrals with the status 400, 403 and 500.',
      decides:
        'The wallet must not poll the deferred endpoint before the verb ends, and must not report success.',
      fix: 'Poll only after a response with the status 200 or 202 and a non-empty string in acceptance_token. Otherwise show an error.',
      after: 'credential',
      withheld: 'deferred',
      offers: [
        ...[undefined, null, '', 7, ['a-token']].map((acceptance_token) => ({
          why: `acceptance_token is ${JSON.stringify(acceptance_token) ?? 'missing'}`,
          orFailsBy: /./,
          deferredPolls: 0,
          deferral: { acceptance_token },
        })),
        ...[400, 403, 500].map((status) => ({
          why: `the status of the response is ${status}`,
          orFailsBy: /./,
          deferredPolls: 0,
          answers: { credential: (usual: FullAnswer) => ({ ...usual, status }) },
        })),
      ],
    },
    'W81-pin-not-given': {
      title: 'The code is not sent without the required PIN',
      level: 'spec',
      rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
      description:
        'tx_code is required if the offer asks for it. An attempt without it may use up the code.',
      sends: 'An offer with tx_code, and no PIN for the wallet.',
      fix: 'If the grant has tx_code, ask for the PIN before the token request. Without a PIN, show an error and do not send the request.',
      offers: [{ why: 'the offer requires a PIN and the wallet has none', pin: '4935' }],
    },
  },
  ({ offers, after, withheld, ...texts }) => ({
    expectation: 'refuse',
    control: 'offers',
    decides:
      'The wallet must not send a token request before the verb ends, and must report a rejection.',
    ...texts,
    async run(context) {
      return findEach(casesFor(context, offers), async (offer) => {
        const { why, orFailsBy, link, given, ...behaviour } = offer
        const session = context.openIssuer(behaviour)
        const answer = await context.wallet.acceptOffer({
          link: link?.(session) ?? session.offerByValue(),
          ...(given !== undefined && { pin: given }),
        })
        const { outcome, reason, hasCrashed } = answer
        const isExpected = outcome === 'failed' && !hasCrashed && orFailsBy?.test(reason)
        const counted = isExpected ? { ...answer, outcome: 'refused' as const } : answer
        const expected = { why, ...(after && { after }), ...(withheld && { withheld }) }
        return findOfferRefused(context, { session, answer: counted }, expected)
      })
    },
  }),
)

/** A member of an entry, or which one it lacks: JSON omits it. */
function describeMember(entry: Members): string {
  const [[name, value] = []] = Object.entries(entry)
  return value === undefined ? `no ${name}` : JSON.stringify(entry)
}
