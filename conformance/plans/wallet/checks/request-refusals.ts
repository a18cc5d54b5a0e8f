import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { type JwsHeader, parseJws } from '#core/crypto/jws.ts'
import { membersOf } from '#core/json/json-object.ts'
import {
  broken,
  type CheckRow,
  defineChecks,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import { findEach } from '../../../kit/find-each.ts'
import { leaveUnsigned, type SignDraft } from '../../../world/defects/defect.ts'
import {
  flipBit,
  macForms,
  otherEncodings,
  unsignedForms,
} from '../../../world/defects/signature-defects.ts'
import { registerDefectiveIssuer, registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import { membersIn } from '../counterparts/read-proof.ts'
import {
  type ExpectedRequestRefusal,
  findRequestRefused,
  findRequestsRefused,
} from '../findings/presentation-findings.ts'

type RequestRefusal = Omit<CheckRow<WalletContext>, 'expectation' | 'control' | 'decides'> &
  Partial<Pick<CheckRow<WalletContext>, 'control' | 'decides'>>

const decides =
  'The wallet must not post a presentation before the verb ends, and must report a rejection.'

/** Presentation requests that a wallet must not answer. */
export const checks = defineChecks<WalletContext, RequestRefusal>(
  {
    'W35-request-bad-signature': {
      title: 'A request with an invalid signature is not answered',
      level: 'final',
      clauses: ['RFC 9101, 6.2', 'RFC 7518, 3.4'],
      description: 'Otherwise, anyone could ask in the name of a verifier that the holder trusts.',
      sends:
        'Signed requests at request_uri and in the link itself, each with one bit of the signature flipped, and requests at request_uri whose signature is empty, consists of zeros, has a byte more or less, or is in ASN.1 DER.',
      fix: "Verify the signature of the request with the key in kid from the verifier's DID document. Require 64 bytes, r and s for ES256K. If it is invalid, show an error and do not post.",
      run: (context) =>
        findRequestsRefused(context, [
          {
            behaviour: { afterwards: flipBit },
            why: 'the signature of the request is invalid',
          },
          {
            behaviour: { afterwards: flipBit },
            why: 'the signature of the request in the link is invalid',
            link: (session) => session.requestInLink(),
          },
          ...Object.entries(otherEncodings).map(([what, afterwards]) => ({
            behaviour: { afterwards },
            why: `the request ${what}`,
          })),
        ]),
    },
    'W36-client-id-mismatch': {
      title: 'A request whose client_id differs from the link is not answered',
      level: 'final',
      clauses: ['RFC 9101, 5', 'OpenID4VP 1.0, 5.10.1'],
      description:
        'The verifier that the link shows to the holder must be the one that receives the presentation.',
      sends:
        'Links whose client_id is a DID, with the signed request of another verifier at request_uri, and in the link itself.',
      fix: 'Compare client_id in the link with client_id and the DID in kid of the signed request. If they differ, show an error and do not post.',
      run: (context) =>
        findRequestsRefused(context, [
          {
            why: 'the link names another client_id',
            link: (session) => session.requestByReference(otherVerifier),
          },
          {
            why: 'client_id of the link differs from that of the signed request in it',
            link: (session) => session.requestInLink(otherVerifier),
          },
        ]),
    },
    'W37-nonce-missing': {
      title: 'A request without a nonce is not answered',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/presentation-authorization-request.5',
        '1.resources-and-their-fields/presentation-token.2',
      ],
      description: 'Without a nonce, anyone who has seen a presentation can use it again.',
      sends: 'A signed request at request_uri without a nonce.',
      fix: 'Require nonce in the request. Without it, show an error and do not post.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { parameters: { nonce: undefined } },
          why: 'the request has no nonce',
        }),
    },
    'W38-response-type-other': {
      title: 'A request with another response_type is not answered',
      level: 'final',
      clauses: ['RFC 6749, 3.1.1', 'OpenID4VP 1.0, 5.6'],
      description: 'A request for a code or an id_token is not a presentation request.',
      sends: 'Signed requests at request_uri with response_type code, and vp_token id_token.',
      fix: 'Require response_type vp_token. For any other value, also for a list with it, show an error and do not post.',
      run: (context) =>
        findRequestsRefused(
          context,
          ['code', 'vp_token id_token'].map((response_type) => ({
            behaviour: { parameters: { response_type } },
            why: `response_type is ${response_type}, not vp_token`,
          })),
        ),
    },
    'W39-response-mode-other': {
      title: 'A request with another response_mode is not answered',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-authorization-request.2'],
      description: 'Other modes send the presentation through the browser, where it can be read.',
      sends: 'A signed request at request_uri with response_mode fragment.',
      fix: 'Require response_mode direct_post. For any other value, show an error and do not post.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { parameters: { response_mode: 'fragment' } },
          why: 'response_mode is not direct_post',
        }),
    },
    'W40-presentation-definition': {
      title: 'A request with a presentation_definition instead of a query is not answered',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-authorization-request.6'],
      description:
        'DIF presentation definitions are unsupported. A wallet that guesses the query discloses too much.',
      sends: 'A signed request at request_uri with presentation_definition and no dcql_query.',
      fix: 'Require dcql_query in the request. If it has presentation_definition instead, show an error and do not post.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { parameters: { dcql_query: undefined, presentation_definition: definition } },
          why: 'the request uses a presentation_definition',
        }),
    },
    'W41-redirect-uri-beside-direct-post': {
      title: 'A request with both redirect_uri and direct_post is not answered',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 8.2'],
      description:
        'Such a request names two destinations for the response. OpenID4VP treats it as an invalid_request.',
      sends: 'A signed request at request_uri with redirect_uri.',
      fix: 'If a request with response_mode direct_post has redirect_uri, show an error and do not post. Accept redirect_uri only in the response to the post.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { parameters: { redirect_uri: 'https://verifier.example/cb' } },
          why: 'the request has both redirect_uri and direct_post',
        }),
    },
    'W42-query-format-other': {
      title: 'A query for another format is not answered',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
      description: 'format is always jwt_vc_json. A response in another format is invalid.',
      sends:
        'Signed requests at request_uri whose query asks for the format vc+sd-jwt, and jwt_vc, its name in earlier drafts.',
      fix: 'Require format jwt_vc_json in each element of dcql_query.credentials. For any other format, show an error and do not post.',
      run: (context) =>
        findRequestsRefused(
          context,
          ['vc+sd-jwt', 'jwt_vc'].map((format) => ({
            behaviour: { query: { format } },
            why: `the query asks for the format ${format}`,
          })),
        ),
    },
    'W43-no-matching-type': {
      title: 'A query for a type that the wallet does not hold is not answered',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
      description: 'Data that the verifier did not request must not leave the wallet.',
      sends: 'A signed request at request_uri whose meta.vct_values is a type that does not exist.',
      fix: 'Select only credentials that have one of the types in meta.vct_values. If there is none, show an error and do not post, not even an empty presentation.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { query: { meta: { vct_values: ['NoSuchCredential'] } } },
          why: 'the wallet does not hold a credential of that type',
        }),
    },
    'W44-claim-absent': {
      title: 'A query for a claim that no credential contains is not answered',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
      description: 'The wallet checks that the credential contains the requested claims.',
      sends: 'A signed request at request_uri with a path that does not exist in any credential.',
      fix: 'Resolve each path of claims in the credential, and select only credentials that have all of them. If there is none, show an error and do not post.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: { query: { claims: [{ path: ['$.vc.credentialSubject.mandate.shoeSize'] }] } },
          why: 'no credential contains the claim',
        }),
    },
    'W46-response-uri-elsewhere': {
      title: 'The wallet sends no response to a host other than that of client_id',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 5.9.3', 'OpenID4VP 1.0, 8.2', 'OpenID4VP 1.0, 14.3.1'],
      description:
        'An attacker can put any client_id into an unsigned request. The holder reads a known name, but the response goes to the attacker.',
      sends:
        'Unsigned requests in the link. Their client_id is https://verifier.example, also as the address after the prefix redirect_uri:, and their response_uri is at the kit. Then one whose response_uri only begins with the address after that prefix.',
      fix: 'For an unsigned request, compare the hosts of response_uri and client_id; after the prefix redirect_uri:, compare the whole address. If they differ, show an error and do not post.',
      run: (context) =>
        findRequestsRefused(context, [
          ...['https://verifier.example', 'redirect_uri:https://verifier.example/response'].map(
            (clientId): ExpectedRequestRefusal => ({
              why: `response_uri has a host other than that of ${clientId}`,
              link: (session) => session.requestByValue(clientId),
            }),
          ),
          {
            why: 'response_uri only begins with the address after redirect_uri: in client_id',
            link: (session) => session.requestByValue(`redirect_uri:${session.baseUrl}`),
          },
        ]),
    },
    'W54-request-expired': {
      title: 'An expired request is not answered',
      level: 'final',
      clauses: ['RFC 7519, 4.1.4', 'RFC 9101, 4'],
      description: 'An attacker may have kept a request to show it to another holder later.',
      sends: 'A signed request at request_uri whose exp was an hour ago.',
      fix: 'Compare exp of the signed request with the current time. If it has passed, show an error and do not post.',
      async run(context) {
        const now = context.now()
        return findRequestRefused(context, {
          behaviour: { claims: { iat: now - 7200, exp: now - 3600 } },
          why: 'the request has expired',
        })
      },
    },
    'W63-response-redirect': {
      title: 'A redirect of the response_uri is not followed',
      level: 'practice',
      description: 'A redirect would send the presentation to any address that the response names.',
      sends: 'A response_uri that returns 307 with another address.',
      decides: 'The other address must not receive a request.',
      fix: 'Turn off redirects in the HTTP client for the post to response_uri, and treat a 3xx as an error.',
      async run(context) {
        await context.holdCredential()
        const session = context.openVerifier({
          answers: { response: () => ({ status: 307, headers: { location: 'elsewhere' } }) },
        })
        const {
          outcome,
          reason,
          source: verdictSource,
        } = await context.wallet.present({
          link: session.requestByReference(session.party.did),
        })
        if (session.posts.length === 0) {
          return inconclusive(`The wallet did not post: ${reason}`, { verdictSource })
        }
        const followed = session.requestsTo('elsewhere').length
        if (followed > 0) {
          return broken('The wallet posted the presentation to the target of the redirect.', {
            verdictSource: 'requests to the other address',
          })
        }
        return outcome === 'refused' || outcome === 'done'
          ? held(`The wallet did not follow the redirect: ${reason}`, { verdictSource })
          : inconclusive(`The wallet did not follow the redirect; ${reason}`, { verdictSource })
      },
    },
    'W71-response-uri-other-port': {
      title: 'The wallet sends no response to an origin other than that of client_id',
      level: 'practice',
      description:
        'A different port may be the service of another organization on the same machine, and anyone on the network path can claim an address over HTTP.',
      sends:
        'Unsigned requests in the link, whose client_id and response_uri differ in the port, in the scheme, or in scheme and host, and one whose client_id is the origin of response_uri without its last character.',
      fix: 'For an unsigned request, compare scheme, host and port of response_uri and client_id. If one differs, show an error and do not post.',
      run: (context) =>
        findRequestsRefused(context, [
          ...Object.entries(otherOrigins).map(
            ([differs, change]): ExpectedRequestRefusal => ({
              why: `response_uri and client_id have different ${differs}`,
              link(session) {
                const clientId = new URL(session.baseUrl)
                change(clientId)
                return session.requestByValue(clientId.href)
              },
            }),
          ),
          {
            why: 'client_id is only the beginning of the origin of response_uri',
            link: (session) => session.requestByValue(new URL(session.baseUrl).origin.slice(0, -1)),
          },
        ]),
    },
    'W72-response-uri-user-name': {
      title: 'A user name in response_uri is not mistaken for its host',
      level: 'practice',
      description:
        'In https://verifier.example@evil.example the host is evil.example. A comparison of prefixes misses that.',
      sends:
        'An unsigned request in the link. Its client_id is https://verifier.example and its response_uri is https://verifier.example@ and the host of the kit.',
      fix: 'Parse response_uri with a URL parser and compare its host, not its first characters, with that of client_id. Reject addresses with a user name.',
      run: (context) =>
        findRequestRefused(context, {
          behaviour: {
            parameters: (verifier) => ({
              response_uri: `${verifier.replace('://', '://verifier.example@')}/response`,
            }),
          },
          why: 'the verifier is only the user name of response_uri',
          link: (session) =>
            session.requestByValue(`${new URL(session.baseUrl).protocol}//verifier.example`),
        }),
    },
    'W74-two-queries': {
      title: 'A request for two credentials is answered with both or not at all',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 6.4.2'],
      description:
        'A verifier that needs two credentials cannot use one. The holder would disclose it needlessly.',
      sends:
        'A signed request at request_uri whose query has two elements. The wallet can answer only one of them. Then a request with two elements that one credential matches.',
      decides:
        'The wallet must not post a presentation before the verb ends, and must report a rejection. It may answer the second request, but then for both elements.',
      fix: 'Evaluate every element of dcql_query.credentials before you answer. If one has no matching credential, or if you support only one element, show an error and do not post the others.',
      async run(context) {
        const finding = await findRequestRefused(context, {
          behaviour: { parameters: { dcql_query: { credentials: [first, second] } } },
          why: 'it has only one of the two requested credentials',
        })
        return finding.kind === 'held' ? findBothAnswered(context) : finding
      },
    },
    'W76-request-unsigned': {
      title: 'A request with alg none is not treated as signed',
      level: 'final',
      clauses: ['RFC 9101, 6.2', 'RFC 8725, 3.2'],
      description: 'Without a signature, anyone could ask in the name of any DID.',
      sends:
        'Signed requests at request_uri without a signature, with alg none, None, NONE and nOnE, and with alg none and an unknown kid.',
      fix: "Derive the algorithm from the key in the verifier's DID document, and require it in alg. Reject alg none: do not treat a JWT as an unsigned request.",
      run: (context) =>
        findForgeriesRefused(context, {
          'is not signed (alg none)': leaveUnsigned,
          ...unsignedForms,
        }),
    },
    'W77-request-hmac': {
      title: 'A request signed with the public key as a MAC secret is not answered',
      level: 'final',
      clauses: ['RFC 8725, 3.1'],
      description:
        'A wallet that trusts the alg of the header verifies an HMAC with the public key in the DID document.',
      sends: `Signed requests at request_uri with an HMAC. Each one ${Object.keys(macForms).join(', or ')}.`,
      fix: "Derive the algorithm from the key in the verifier's DID document: ES256K for secp256k1, EdDSA for Ed25519. If alg differs, show an error and do not post.",
      run: (context) => findForgeriesRefused(context, macForms),
    },
    'W78-verifier-key-revoked': {
      title: 'A request signed with a revoked key is not answered',
      level: 'practice',
      description:
        'A thief keeps asking with a stolen key. The DID registry shows that the key is revoked.',
      sends: 'A signed request at request_uri of a verifier whose key was revoked an hour ago.',
      fix: 'Fetch the current DID document of the verifier for each request, and require the key in kid among its relationships. If it is missing, show an error and do not post.',
      async run(context) {
        const party = registerDefectiveIssuer(context.trust.world, 'key-revoked')
        return findRequestRefused(context, {
          behaviour: { party },
          why: 'the key of the verifier is revoked',
        })
      },
    },
    'W79-no-request': {
      title: 'The wallet presents nothing without a usable request',
      level: 'practice',
      description:
        'If request_uri returns a page or an error, there is no request that the holder could agree to.',
      sends: 'Two links whose request_uri returns 404 and an HTML page.',
      fix: 'Continue only if request_uri returns 200 with a request JWT. Otherwise show an error and do not post.',
      run: (context) =>
        findEach(Object.entries(answers), ([name, answer]) =>
          findRequestRefused(context, {
            behaviour: { answers: { request: () => answer } },
            why: `the request is ${name}`,
          }),
        ),
    },
  },
  (row) => ({ expectation: 'refuse', control: 'requests', decides, ...row }),
)

/** The profile defines the answer to one element only, so a wallet may reject two. */
async function findBothAnswered(context: WalletContext): Promise<Finding> {
  const credentials = [first, { ...first, id: 'another' }]
  const session = context.openVerifier({ parameters: { dcql_query: { credentials } } })
  const link = session.requestByReference(session.party.did)
  const { outcome, reason, source: verdictSource } = await context.wallet.present({ link })
  const [post] = session.posts
  if (post === undefined) {
    return outcome === 'refused'
      ? held(`The wallet answers neither one of two elements nor both: ${reason}`, {
          verdictSource,
        })
      : inconclusive(reason, { verdictSource })
  }
  const { descriptor_map: map } = membersIn(post.form.get('presentation_submission') ?? '') ?? {}
  const answered = [
    ...(Array.isArray(map) ? map.map((descriptor) => membersOf(descriptor).id) : []),
    ...Object.keys(membersIn(post.vpToken) ?? {}),
  ]
  const missing = credentials.filter(({ id }) => !answered.includes(id))
  const source = { verdictSource: 'post to response_uri' }
  return missing.length === 0
    ? held('The wallet answered both elements of the query.', source)
    : broken('The wallet answered only one of two elements of the query.', source)
}

const otherOrigins: Readonly<Record<string, (url: URL) => void>> = {
  ports: (url) => {
    url.port = url.port === '8443' ? '9443' : '8443'
  },
  schemes: (url) => {
    url.protocol = url.protocol === 'https:' ? 'http:' : 'https:'
  },
  'hosts, and client_id uses http': (url) => {
    url.href = `http://verifier.example${url.pathname}`
  },
}

const otherVerifier = 'did:org:uc-pre:z1AnotherVerifierOfThisWorld'

const definition = {
  id: 'definition',
  input_descriptors: [
    { id: 'lear-credential', constraints: { fields: [{ path: ['$.vc.credentialSubject'] }] } },
  ],
}

const first = {
  id: 'lear-credential',
  format: 'jwt_vc_json',
  meta: { vct_values: ['OrgPortalLearCredential'] },
}

const second = {
  id: 'second',
  format: 'jwt_vc_json',
  meta: { vct_values: ['NoSuchCredential'] },
}

const answers = {
  'missing (404)': { status: 404, body: '{"error":"not_found"}' },
  'an HTML page': { status: 200, contentType: 'text/html', body: '<h1>It works!</h1>' },
}

/** Checks that the wallet rejects the request of a verifier with each of these signatures. */
function findForgeriesRefused(
  context: WalletContext,
  forgeries: Readonly<Record<string, SignDraft>>,
): Promise<Finding> {
  const party = registerIssuer(context.trust.world)
  return findRequestsRefused(
    context,
    Object.entries(forgeries).map(([what, sign]) => ({
      behaviour: { party, afterwards: (jwt: string) => resign(jwt, sign, party.privateKey) },
      why: `the request ${what}`,
    })),
  )
}

/** Replaces the signature of a JWT; keeps its header and payload. */
function resign(jwt: string, sign: SignDraft, privateKey: PrivateJwk): string {
  const jws = parseJws(jwt)
  if (!jws.ok) throw new TypeError(jws.reason)
  return sign(jws.header as JwsHeader, jws.payload, privateKey)
}
