import { randomBytes } from 'node:crypto'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import { createPrivateJwk, type PrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { createSignature, type JwsHeader, parseJws, signJws } from '#core/crypto/jws.ts'
import { signedRequestType, walletAudience } from '#core/oid4vp/authorization-request.ts'
import { type CheckRow, defineChecks } from '../../../kit/check.ts'
import { nearMisses, otherTypes, untrimmedMisses } from '../../../kit/near-misses.ts'
import { breakSignature, certificateOfJwk, setUnusedBit } from '../../../kit/signatures.ts'
import { mandate, type Party, type TrustWorld } from '../../../world/create-trust-world.ts'
import { otherDocuments, registerWithDocuments } from '../../../world/defects/document-defects.ts'
import { addKey } from '../../../world/key-uses.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import type { Members } from '../counterparts/issuer-session.ts'
import type { VerifierSession } from '../counterparts/verifier-session.ts'
import {
  type ExpectedRequestRefusal,
  findRequestsRefused,
} from '../findings/presentation-findings.ts'

/** Requests that a wallet must not answer because one value almost fits. */
interface AlmostValidRequests
  extends Pick<
      CheckRow<WalletContext>,
      'title' | 'level' | 'description' | 'sends' | 'fix' | 'rows' | 'clauses'
    >,
    Partial<Pick<CheckRow<WalletContext>, 'expectation'>> {
  readonly requests: (context: WalletContext) => readonly ExpectedRequestRefusal[]
}

export const checks = defineChecks<WalletContext, AlmostValidRequests>(
  {
    'W104-request-typ': {
      title: 'A JWT that is not typed as a request is not answered',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 5'],
      description:
        'A verifier signs other JWTs with the same key. Without typ, one of them could serve as a request.',
      sends:
        'Signed requests at request_uri without typ, and with a typ that is JWT, slightly different, null, empty, or a list.',
      fix: 'Require the typ oauth-authz-req+jwt in the header of a signed request. Otherwise show an error and do not post.',
      requests: () => [
        { why: 'its typ is missing', behaviour: { header: { typ: undefined } } },
        { why: 'its typ is JWT', behaviour: { header: { typ: 'JWT' } } },
        // A media type may be written in any case.
        ...[...nearMisses.slice(0, 4), ...otherTypes].map(({ what, change }) => ({
          why: `its typ ${what}`,
          behaviour: { header: { typ: change(signedRequestType) } },
        })),
      ],
    },
    'W105-request-signer': {
      title: 'A request that another key signed is not answered',
      level: 'final',
      clauses: ['RFC 9101, 6.2', 'OpenID4VP 1.0, 5.1', 'OpenID4VP 1.0, 5.9.3'],
      description:
        'The signature must be made with a key of the verifier in client_id. Any other key lets an organization ask in the name of another.',
      sends:
        'Signed requests at request_uri with the key and kid of another organization, with and without client_id in the link, their own key or certificate in the header or in client_metadata, a key that the DID document has for another purpose or for none, no kid, an alg that is not that of the key, with a DID document without its key, and values similar to kid and to the client_id of the link.',
      fix: "Require the DID of client_id in kid, and the key in kid, once, under authentication or assertionMethod of that DID's document. Require the alg of that key. Ignore jwk, x5c and client_metadata.jwks. Otherwise show an error and do not post.",
      requests: ({ trust }) => {
        const { world } = trust
        const party = registerIssuer(world)
        return [
          {
            why: 'another organization signed the request',
            behaviour: { party, afterwards: signAgain(world, registerIssuer(world)) },
          },
          {
            why: 'another organization signed the request, and the link has no client_id',
            link: withoutClientId,
            behaviour: { party, afterwards: signAgain(world, registerIssuer(world)) },
          },
          ...Object.entries(ownKeys).map(([why, membersFor]) => ({
            why,
            behaviour: { party, afterwards: signWithOwnKey(membersFor) },
          })),
          ...otherUses.map((relationship) => ({
            why: `its key has ${relationship === 'none' ? 'no purpose' : `only the purpose ${relationship}`} in the DID document`,
            behaviour: {
              party,
              afterwards: signAgain(world, addKey(world, party, { relationship })),
            },
          })),
          { why: 'it has no kid', behaviour: { party, header: { kid: undefined } } },
          ...['es256k', 'ES256', 'EdDSA', 'ES256K2', undefined].map((alg) => ({
            why: `its alg is ${alg ?? 'missing'}, and it is signed with ES256K`,
            behaviour: {
              party,
              afterwards: (jwt: string) =>
                ofTexts(party, { header: JSON.stringify({ ...headerOf(jwt), alg }) })(jwt),
            },
          })),
          ...[...nearMisses, ...otherTypes].map(({ what, change }) => ({
            why: `its kid ${what}`,
            behaviour: { party, header: { kid: change(party.kid) } },
          })),
          ...registerWithDocuments(trust, documentsOfVerifiers).map(({ does, party }) => ({
            why: `the DID document of the verifier ${does}`,
            behaviour: { party },
          })),
          ...[...nearMisses, ...untrimmedMisses].map(({ what, change }) => ({
            why: `the client_id of the link ${what}`,
            link: ({ requestByReference }: Parameters<Link>[0]) =>
              requestByReference(change(party.did)),
            behaviour: { party },
          })),
        ]
      },
    },
    'W106-request-crit': {
      title: 'A request with an unknown critical header is not answered',
      level: 'final',
      clauses: ['RFC 7515, 4.1.11'],
      description:
        'crit names members of the header that change the meaning of a JWT. A wallet that ignores it does not read the signed content.',
      sends: 'Signed requests at request_uri with crit for an unknown member, for b64, and empty.',
      fix: 'If the header has crit, require that you support each member that it names. Otherwise show an error and do not post.',
      requests: () => [
        {
          why: 'it has an unknown critical header',
          behaviour: { header: { crit: ['x-unknown'], 'x-unknown': true } },
        },
        {
          why: 'its header declares an unencoded payload',
          behaviour: { header: { crit: ['b64'], b64: false } },
        },
        { why: 'its crit is empty', behaviour: { header: { crit: [] } } },
      ],
    },
    'W107-request-encoding': {
      title: 'A request that is not a strict compact JWT is not answered',
      level: 'practice',
      description:
        'Lenient readers accept several texts for one signature. What one part of a system verifies, another then reads differently.',
      sends:
        'Signed requests at request_uri with padding, a space, a line break, unused bits in the last character, no signature, and a fourth part, and whose header or payload is not a JSON object in UTF-8.',
      fix: 'Require three parts in base64url without padding, spaces, line breaks or unused bits in a JWT, the first two of them JSON objects in UTF-8. Otherwise show an error and do not post.',
      requests: ({ trust }) => {
        const party = registerIssuer(trust.world)
        return [
          ...Object.entries(wrongEncodings).map(([why, afterwards]) => ({
            why,
            behaviour: { afterwards },
          })),
          ...texts.flatMap((text) => [
            {
              why: `its header is ${text || 'empty'}`,
              behaviour: { party, afterwards: ofTexts(party, { header: text }) },
            },
            {
              why: `its payload is ${text || 'empty'}`,
              behaviour: { party, afterwards: ofTexts(party, { payload: Buffer.from(text) }) },
            },
          ]),
          ...Object.entries(wrongTexts).map(([why, change]) => ({
            why,
            behaviour: {
              party,
              parameters: { state: 'a-state' },
              afterwards: (jwt: string) => ofTexts(party, { payload: change(payloadOf(jwt)) })(jwt),
            },
          })),
        ]
      },
    },
    'W108-request-members': {
      title: 'A request with an almost valid parameter is not answered',
      level: 'practice',
      description:
        'A wallet that compares only a prefix, ignores case or converts types answers what it did not understand.',
      sends:
        'Signed requests at request_uri whose response_type, response_mode, nonce or response_uri is similar to a valid value, missing, or of another type, whose client_id, exp, iat or nbf is of another type, and with an iat in the future.',
      fix: 'Compare response_type and response_mode character by character. Require strings in client_id, nonce and response_uri, numbers in exp, iat and nbf, and an iat that is not in the future. Otherwise show an error and do not post.',
      requests: ({ now, trust }) => {
        const verifier = registerIssuer(trust.world)
        return [
          ...memberCases('response_type', 'vp_token'),
          ...memberCases('response_mode', 'direct_post'),
          {
            why: 'response_mode is direct_post.jwt',
            behaviour: { parameters: { response_mode: 'direct_post.jwt' } },
          },
          ...['exp', 'iat', 'nbf'].flatMap((name) =>
            [null, '', [], String(now() + (name === 'exp' ? 300 : -60)), true].map((time) => ({
              why: `its ${name} is ${JSON.stringify(time)}`,
              behaviour: { claims: { [name]: time } },
            })),
          ),
          ...[null, '', 7].map((client_id) => ({
            why: `client_id is ${JSON.stringify(client_id)}`,
            behaviour: { parameters: { client_id } },
            link: withoutClientId,
          })),
          {
            why: 'client_id is a list',
            behaviour: { parameters: { client_id: [verifier.did] }, party: verifier },
            link: withoutClientId,
          },
          ...[null, '', 7, ['a-nonce'], { value: 'a-nonce' }].map((nonce) => ({
            why: `the nonce is ${JSON.stringify(nonce)}`,
            behaviour: { parameters: { nonce } },
          })),
          ...[undefined, null, '', '/response', 'ftp://verifier.example/'].map((response_uri) => ({
            why: `response_uri is ${JSON.stringify(response_uri) ?? 'missing'}`,
            behaviour: { parameters: { response_uri } },
          })),
          { why: 'it was signed in an hour', behaviour: { claims: { iat: now() + 3600 } } },
          {
            why: 'its exp was an hour ago, in milliseconds',
            behaviour: { claims: { exp: (now() - 3600) * 1000 } },
          },
        ]
      },
    },
    'W109-query-near-misses': {
      title: 'A query that the credential almost matches is not answered',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
      description: 'Data that the verifier did not request must not leave the wallet.',
      sends:
        'Signed requests at request_uri with a format, type or claim similar to that of the credential, and with one of two claims that the credential does not have.',
      fix: 'Compare format, vct_values and the names in paths exactly, and require every claim of the query. If no credential matches, show an error and do not post.',
      requests: () => [
        ...nearMisses.map(({ what, change }) => ({
          why: `the requested format ${what}`,
          behaviour: { query: { format: change('jwt_vc_json') } },
        })),
        ...nearMisses.map(({ what, change }) => ({
          why: `the requested type ${what}`,
          behaviour: { query: { meta: { vct_values: [change('OrgPortalLearCredential')] } } },
        })),
        ...wrongClaims.map(([why, ...claims]) => ({ why, behaviour: { query: { claims } } })),
      ],
    },
    'W140-request-link-ambiguous': {
      title: 'A link with two requests is not answered',
      level: 'final',
      clauses: ['RFC 9101, 5', 'RFC 6749, 3.1'],
      description:
        'If a parameter occurs twice, the wallet may show one request to the holder and answer the other.',
      sends:
        'Links with request as well as request_uri, with a repeated client_id, request_uri or nonce, and with a request_uri that is not an http or https URL.',
      fix: 'If a parameter of the link is repeated, if it has both request and request_uri, or if request_uri is not an http or https URL, show an error and do not post.',
      requests: () => Object.entries(ambiguousLinks).map(([why, link]) => ({ why, link })),
    },
    'W141-request-in-link-near-misses': {
      title: 'An unsigned request with an almost valid parameter is not answered',
      level: 'practice',
      description:
        'A request in the link is parsed by other code than a signed one. The same rules apply to it.',
      sends:
        'Links with an unsigned request whose client_id, nonce, response_type, response_mode, response_uri or dcql_query is missing, empty, slightly different or not valid JSON.',
      fix: 'Apply the same rules to the parameters of a link as to the claims of a signed request. If one is broken, show an error and do not post.',
      requests: () =>
        wrongParameters.map(([why, parameters]) => ({
          why,
          link: (session) => session.requestByValue(),
          behaviour: { parameters },
        })),
    },
    'W142-request-audience': {
      title: 'A request for another audience is not answered',
      level: 'final',
      clauses: ['RFC 7519, 4.1.3'],
      description:
        'aud names the intended recipient of a JWT. A request that a verifier made for another wallet could otherwise be passed on.',
      sends:
        'Signed requests at request_uri whose aud is another URL, similar to https://self-issued.me/v2, a list without it, or of another type.',
      fix: 'If a signed request has aud, require https://self-issued.me/v2 in it, or the identifier of your wallet. Otherwise show an error and do not post.',
      requests: () => [
        ...['https://wallet.example', ['https://wallet.example'], [], 7].map((aud) => ({
          why: `its aud is ${JSON.stringify(aud)}`,
          behaviour: { claims: { aud } },
        })),
        ...nearMisses.map(({ what, change }) => ({
          why: `its aud ${what}`,
          behaviour: { claims: { aud: change(walletAudience) } },
        })),
      ],
    },
    'W143-query-malformed': {
      title: 'A malformed query is not answered',
      level: 'practice',
      description:
        'A wallet that skips what it cannot read answers a query without its conditions, and discloses more than the verifier requested.',
      sends:
        'Signed requests at request_uri whose dcql_query, or its credentials, id, format, meta, vct_values, claims, path or values, is missing, empty or of another type.',
      fix: 'Validate the whole dcql_query before you evaluate it. If a member is not as documented, show an error and do not post.',
      requests: () => [
        ...[
          null,
          [],
          'query',
          {},
          { credentials: null },
          { credentials: [] },
          { credentials: {} },
        ].map((dcql_query) => ({
          why: `dcql_query is ${JSON.stringify(dcql_query)}`,
          behaviour: { parameters: { dcql_query } },
        })),
        ...wrongQueries.map((query) => ({
          why: `the query has ${describeMembers(query)}`,
          behaviour: { query },
        })),
      ],
    },
    'W161-transaction-data': {
      title: 'A request with transaction_data is not answered',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 5'],
      description:
        'transaction_data is what the holder authorizes, such as a payment. It is the only parameter that a wallet must not ignore: the verifier would treat the presentation as a consent to it.',
      sends:
        'Signed requests at request_uri, and an unsigned request in the link, with transaction_data of a type that does not exist.',
      fix: 'If a request has transaction_data, and you do not support it or its type, show an error and do not post. Do not ignore it like other unknown parameters.',
      requests: () =>
        [undefined, (session: VerifierSession) => session.requestByValue()].map((link) => ({
          why: `it has transaction_data${link ? ' in the link' : ''}`,
          ...(link && { link }),
          behaviour: { query: { id: 'mandate' }, parameters: { transaction_data: [transaction] } },
        })),
    },
    'W73-claim-value-other': {
      title: 'A query for a value that the credential does not have is not answered',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 6.3', 'OpenID4VP 1.0, 6.4.1'],
      description:
        'A verifier that requests one value cannot use another. The holder would disclose it needlessly.',
      sends:
        'Signed requests at request_uri whose query asks for a value (values) that no credential has, that is slightly different, of another type or that of another claim.',
      fix: 'If an element of claims has values, select only credentials whose claim equals one of them. If there is none, show an error and do not post.',
      requests: () => [
        {
          why: 'no credential has the requested value',
          behaviour: { query: { claims: [{ path: [employeeId], values: ['EMP-OTHER'] }] } },
        },
        ...nearMisses.map(({ what, change }) => ({
          why: `the requested value ${what}`,
          behaviour: {
            query: { claims: [{ path: [employeeId], values: [change(ownEmployeeId)] }] },
          },
        })),
        ...wrongValues.map(([why, ...claims]) => ({ why, behaviour: { query: { claims } } })),
      ],
    },
  },
  ({ requests, ...texts }) => ({
    expectation: 'refuse',
    control: 'requests',
    decides:
      'The wallet must not post a presentation before the verb ends, and must report a rejection of each request.',
    timeLimitMilliseconds: 120_000,
    ...texts,
    run: (context) => findRequestsRefused(context, requests(context)),
  }),
)

type Link = NonNullable<ExpectedRequestRefusal['link']>

const withoutClientId: Link = (session) => session.requestByReference()

/** The key of a request may be in authentication instead of assertionMethod. */
const documentsOfVerifiers = Object.fromEntries(
  Object.entries(otherDocuments).filter(([does]) => !does.includes('assertionMethod')),
)

/** Signs the same request with another key, under the kid of that key. */
const signAgain =
  (world: TrustWorld, by: Pick<Party, 'kid' | 'privateKey'>) =>
  (jwt: string): string => {
    const jws = parseJws(jwt)
    if (!jws.ok) throw new TypeError(jws.reason)
    return world.sign(jws.payload, by, { typ: signedRequestType })
  }

/** What a key may be for, other than requests. */
const otherUses = ['none', 'keyAgreement', 'capabilityInvocation', 'capabilityDelegation'] as const

interface OwnKey {
  readonly header?: object
  readonly payload?: object
}

/** Members that contain the key of an attacker. */
const ownKeys: Readonly<Record<string, (key: PrivateJwk, kid: string | undefined) => OwnKey>> = {
  'its header contains the key that signed it': (key) => ({ header: { jwk: publicJwkOf(key) } }),
  'its header contains the certificate of the key that signed it': (key) => ({
    header: { x5c: [certificateOfJwk(key)] },
  }),
  // OpenID4VP 1.0, 5.1: these keys are for the encryption of answers.
  'its client_metadata contains the key that signed it': (key, kid) => ({
    payload: { client_metadata: { jwks: { keys: [{ ...publicJwkOf(key), kid }] } } },
  }),
}

/** Signs the same request with a new key, under the kid of the verifier. */
const signWithOwnKey = (membersFor: (typeof ownKeys)[string]) => (jwt: string) => {
  const jws = parseJws(jwt)
  if (!jws.ok) throw new TypeError(jws.reason)
  const header = jws.header as JwsHeader
  const privateKey = createPrivateJwk('secp256k1', randomBytes(32))
  const own = membersFor(privateKey, header.kid)
  return signJws({
    header: { ...header, ...own.header },
    payload: { ...jws.payload, ...own.payload },
    privateKey,
  })
}

const wrongEncodings: Readonly<Record<string, (jwt: string) => string>> = {
  'its signature has padding': (jwt) => `${jwt}==`,
  'its signature contains a line break': breakSignature,
  'it contains a space': (jwt) => jwt.replace('.', '. '),
  'the last character of its signature has an unused bit set': setUnusedBit,
  'it has no signature': (jwt) => jwt.slice(0, jwt.lastIndexOf('.')),
  'it has a fourth part': (jwt) => `${jwt}.AA`,
}

const texts = [
  'null',
  '[]',
  '"text"',
  '7',
  '{',
  '',
  '{}"a"',
  '[]"a"',
  '"',
  '{"',
  '{"a',
  '{"a\\"',
  '"\\',
  '{"a":"b',
]

/** A JWT of these texts, with a valid signature. */
const ofTexts =
  ({ privateKey }: Party, change: { readonly header?: string; readonly payload?: Buffer }) =>
  (jwt: string): string => {
    const [header = '', payload = ''] = jwt.split('.')
    const parts = [
      change.header === undefined ? header : encodeBase64url(change.header),
      change.payload === undefined ? payload : encodeBase64url(change.payload),
    ].join('.')
    return `${parts}.${encodeBase64url(createSignature('ES256K', privateKey, Buffer.from(parts)))}`
  }

const wrongTexts: Readonly<Record<string, (payload: Buffer) => Buffer>> = {
  'its payload begins with a byte order mark': (payload) =>
    Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), payload]),
  'its payload is not in UTF-8': (payload) =>
    Buffer.from(payload.toString('latin1').replace('a-state', 'a-st\xff'), 'latin1'),
  'its payload has another value after it': (payload) =>
    Buffer.concat([payload, Buffer.from('{}')]),
  'its payload is in UTF-16': (payload) => Buffer.from(payload.toString('utf8'), 'utf16le'),
}

const headerOf = (jwt: string): object =>
  JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString('utf8'))

const payloadOf = (jwt: string) => Buffer.from(jwt.split('.')[1] ?? '', 'base64url')

/** The parameter is missing, slightly different, or of another type. */
const memberCases = (name: string, value: string): ExpectedRequestRefusal[] => [
  { why: `${name} is missing`, behaviour: { parameters: { [name]: undefined } } },
  ...[...nearMisses, ...otherTypes].map(({ what, change }) => ({
    why: `${name} ${what}`,
    behaviour: { parameters: { [name]: change(value) } },
  })),
]

const subject = '$.vc.credentialSubject.mandate'
const employeeId = `${subject}.mandatee.employeeId`
const ownEmployeeId = mandate.mandatee.employeeId

interface Claim {
  readonly path: readonly string[]
  readonly values?: readonly (string | number | boolean)[]
}

const wrongClaims: readonly (readonly [why: string, ...claims: readonly Claim[]])[] = [
  ['a path names what every object of a program has', { path: [`${subject}.toString`] }],
  ['the requested claim has a shorter name', { path: [`${subject}.powe`] }],
  ['the requested claim has a longer name', { path: [`${subject}.power2`] }],
  ['the requested claim is in upper case', { path: [`${subject}.POWER`] }],
  ['a path names a member of a list, not of its elements', { path: [`${subject}.power.type`] }],
  ['the requested element of the list does not exist', { path: [`${subject}.power[1]`] }],
  [
    'the first of two requested claims does not exist',
    { path: [`${subject}.shoeSize`] },
    { path: [`${subject}.power`] },
  ],
  [
    'the second of two paths of a claim does not exist',
    { path: [`${subject}.power`, `${subject}.shoeSize`] },
  ],
  [
    'the first of two paths of a claim does not exist',
    { path: [`${subject}.shoeSize`, `${subject}.power`] },
  ],
  [
    'the second of two requested claims does not exist',
    { path: [`${subject}.power`] },
    { path: [`${subject}.shoeSize`] },
  ],
]

const wrongValues: typeof wrongClaims = [
  [
    'the requested value is that of another claim',
    { path: [`${subject}.mandatee.firstName`], values: [ownEmployeeId] },
  ],
  [
    'the second of two claims has another value',
    { path: [employeeId], values: [ownEmployeeId] },
    { path: [`${subject}.mandatee.firstName`], values: ['Eva'] },
  ],
  [
    'the requested value is the only one of a list',
    { path: [`${subject}.power[0].action`], values: ['execute'] },
  ],
  ['true is requested, and the claim is a string', { path: [employeeId], values: [true] }],
]

const ambiguousLinks: Readonly<Record<string, Link>> = {
  'the link has both request and request_uri': (session) =>
    `${session.requestInLink()}&request_uri=${encodeURIComponent(`${session.baseUrl}/request`)}`,
  'client_id is repeated in the link': (session) =>
    `${session.requestByReference(session.party.did)}&client_id=${session.party.did}`,
  'request_uri is repeated in the link': (session) =>
    `${session.requestByReference(session.party.did)}&request_uri=${encodeURIComponent(`${session.baseUrl}/request`)}`,
  'nonce is repeated in the link': (session) => `${session.requestByValue()}&nonce=another-nonce`,
  'the link is not a URL': () => 'a request',
  'request_uri is a file': (session) =>
    `openid4vp://?client_id=${session.party.did}&request_uri=file%3A%2F%2F%2Fetc%2Fhosts`,
  'request_uri is relative': (session) =>
    `openid4vp://?client_id=${session.party.did}&request_uri=%2Frequest`,
}

const transaction = encodeBase64url(
  JSON.stringify({ type: 'urn:example:payment', credential_ids: ['mandate'], amount: '10 EUR' }),
)

const wrongParameters: readonly (readonly [why: string, parameters: Members])[] = [
  ...['client_id', 'nonce', 'response_type', 'response_mode', 'response_uri', 'dcql_query'].flatMap(
    (name) =>
      [undefined, ''].map(
        (value) =>
          [
            `${name} of the link is ${value === '' ? 'empty' : 'missing'}`,
            { [name]: value },
          ] as const,
      ),
  ),
  ['response_type of the link is vp_token2', { response_type: 'vp_token2' }],
  ['response_mode of the link is direct_post.jwt', { response_mode: 'direct_post.jwt' }],
  ['response_uri of the link is relative', { response_uri: '/response' }],
  ['dcql_query of the link is not JSON', { dcql_query: '{"credentials":[' }],
  ['dcql_query of the link is a JSON string', { dcql_query: '"query"' }],
  ['the link has a redirect_uri', { redirect_uri: 'https://verifier.example/cb' }],
]

const power = `${subject}.power`

/** Members of a query that are not as documented; undefined removes one. */
const wrongQueries: readonly Readonly<Record<string, unknown>>[] = [
  ...[undefined, null, '', 7].map((id) => ({ id })),
  ...[undefined, ['jwt_vc_json']].map((format) => ({ format })),
  ...[null, [], 'meta'].map((meta) => ({ meta })),
  ...[null, [], 'OrgPortalLearCredential', [7]].map((vct_values) => ({ meta: { vct_values } })),
  ...[null, {}, power, [power], [{}], [null]].map((claims) => ({ claims })),
  ...[null, [], power, [''], [7], ['not a path'], ['$[']].map((path) => ({ claims: [{ path }] })),
  ...[null, [], 'EMP-1', [null], [{}]].map((values) => ({
    claims: [{ path: [employeeId], values }],
  })),
]

const describeMembers = (members: Readonly<Record<string, unknown>>) =>
  Object.entries(members)
    .map(([name, value]) =>
      value === undefined ? `no ${name}` : `${name} ${JSON.stringify(value)}`,
    )
    .join(' and ')
