import { parseJws } from '#core/crypto/jws.ts'
import { type CheckRow, defineChecks } from '../../../kit/check.ts'
import { findShortR, signJwtWith } from '../../../kit/signatures.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import { registerWithDocuments, validDocuments } from '../../../world/defects/document-defects.ts'
import { raiseS } from '../../../world/defects/signature-defects.ts'
import { addKey } from '../../../world/key-uses.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import type { ReplaceAnswer } from '../counterparts/issuer-session.ts'
import {
  documentFix,
  longToken,
  otherSuites,
  queryProblem,
  signatureFixes,
  unusualQuery,
} from '../counterparts/unusual-values.ts'
import type { VerifierSession } from '../counterparts/verifier-session.ts'
import {
  findEachAnswered,
  type TakenPresentation,
  type UnusualRequest,
} from '../findings/presentation-findings.ts'

const useSignedRequest =
  'If the link has request_uri, read only client_id and request_uri from it. Take all other parameters, such as nonce, state and response_uri, from the signed request, also if it lacks one.'

const keepQuery = (name: string) =>
  `Use ${name} unchanged, with its query: do not decode, encode or sort it again, and do not drop a repeated parameter.`

/** The link has more parameters than the wallet may use: RFC 9101, 5. */
const besideRequestUri: readonly UnusualRequest[] = [
  {
    what: 'whose link has another nonce',
    fix: useSignedRequest,
    link: (session) => `${session.requestByReference(session.party.did)}&nonce=nonce-of-the-link`,
    problem: ({ session, post }) =>
      post.payload.nonce === session.nonce ? undefined : 'The nonce is that of the link.',
  },
  {
    what: 'without a state, whose link has one',
    fix: useSignedRequest,
    behaviour: { parameters: { state: undefined } },
    link: (session) => `${session.requestByReference(session.party.did)}&state=state-of-the-link`,
    problem: ({ post }) => (post.form.has('state') ? 'The state is that of the link.' : undefined),
  },
  {
    what: 'whose link has another response_uri',
    fix: useSignedRequest,
    link(session) {
      const other = encodeURIComponent(`${session.baseUrl}/response?of=link`)
      return `${session.requestByReference(session.party.did)}&response_uri=${other}`
    },
    problem: ({ session }) =>
      session.requestsTo('response').some(({ query }) => query.has('of'))
        ? 'The post went to the response_uri of the link.'
        : undefined,
  },
]

/** Valid requests that look unusual, and which a wallet must answer. */
interface UnusualRequests
  extends Pick<
    CheckRow<WalletContext>,
    'title' | 'level' | 'rows' | 'clauses' | 'description' | 'sends' | 'fix'
  > {
  readonly requests: (
    context: WalletContext,
  ) => readonly UnusualRequest[] | Promise<readonly UnusualRequest[]>
}

const unlimited =
  'Accept an id of any length in dcql_query.credentials, and as many claims and paths as the request has. Return the id in presentation_submission.'

const subject = '$.vc.credentialSubject.mandate'
const { employeeId } = mandate.mandatee

export const checks = defineChecks<WalletContext, UnusualRequests>(
  {
    'W123-request-iss': {
      title: 'iss of a signed request is ignored',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 5'],
      description:
        'iss may be present for compatibility. OpenID4VP requires wallets to ignore it, because client_id names the verifier.',
      sends:
        'Signed requests at request_uri without iss, and with an iss that is another DID, a URL or a number.',
      fix: 'Identify the verifier by client_id and kid only. Do not read iss of the signed request.',
      requests: ({ trust }) =>
        [undefined, trust.world.tao.did, 'https://verifier.example', 7].map((iss) => ({
          what: iss === undefined ? 'without iss' : `whose iss is ${JSON.stringify(iss)}`,
          behaviour: { claims: { iss } },
        })),
    },
    'W124-optional-query-members': {
      title: 'A query without its optional members is answered',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
      description:
        'meta.vct_values and claims are optional. A wallet that requires them does not answer a verifier that accepts any credential.',
      sends:
        'Signed requests at request_uri whose query has no claims, no meta, no vct_values, neither, several or many claims, several paths in a claim, or a short or long id.',
      fix: 'Treat meta, meta.vct_values and claims of a query as optional: without them, every credential matches. Each element of path is a complete JSONPath, not a step: select a credential in which every one of them finds something.',
      requests: () => [
        {
          what: 'with several paths in a claim',
          fix: 'Evaluate each element of path as a complete JSONPath, not as a step of one, and select a credential in which every one of them finds something.',
          behaviour: {
            query: { claims: [{ path: [`${subject}.power`, `${subject}.mandatee.firstName`] }] },
          },
        },
        {
          what: 'with an id of one character',
          fix: unlimited,
          behaviour: { query: { id: 'q' } },
        },
        {
          what: 'with an id of 128 characters, and 64 claims, one of them with 32 paths',
          fix: unlimited,
          behaviour: {
            query: {
              id: 'q'.repeat(128),
              claims: Array.from({ length: 64 }, (_, index) => ({
                path: Array.from({ length: index === 0 ? 32 : 1 }, () => `${subject}.power`),
              })),
            },
          },
        },
        { what: 'without claims', behaviour: { query: { claims: undefined } } },
        { what: 'without meta', behaviour: { query: { meta: undefined } } },
        { what: 'without vct_values', behaviour: { query: { meta: {} } } },
        {
          what: 'without meta and claims',
          behaviour: { query: { meta: undefined, claims: undefined } },
        },
        {
          what: 'for several claims',
          behaviour: {
            query: {
              claims: [
                { path: [`${subject}.power`] },
                { path: [`${subject}.mandatee.firstName`] },
                { path: ['$.iss'] },
              ],
            },
          },
        },
      ],
    },
    'W125-query-paths': {
      title: 'Every form of a path that selects the claim is understood',
      level: 'practice',
      description:
        'A path is a JSONPath expression. A wallet that only splits it at dots does not answer valid queries.',
      sends:
        'Signed requests at request_uri whose paths use brackets, quotes, an index, a wildcard and a descent.',
      fix: 'Evaluate paths with a JSONPath library (RFC 9535) instead of splitting them.',
      requests: () =>
        [
          "$['vc']['credentialSubject']['mandate']",
          '$.vc["credentialSubject"].mandate',
          `${subject}.power[0].type`,
          `${subject}.power[-1].type`,
          `${subject}.power[*].function`,
          '$..employeeId',
          '$',
        ].map((path) => ({
          what: `for ${path}`,
          behaviour: { query: { claims: [{ path: [path] }] } },
        })),
    },
    'W126-query-values': {
      title: 'A query for a value that the credential has is answered',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 6.3'],
      description:
        'values is a list of accepted values of strings, numbers and booleans. One of them is enough.',
      sends:
        'Signed requests at request_uri whose query lists the value of the credential, alone and among values of each type.',
      fix: 'Treat values as alternatives: a credential matches if its claim equals one of them. Accept strings, numbers and booleans in the list.',
      requests: () =>
        [
          [employeeId],
          ['EMP-OTHER', employeeId],
          [7, true, employeeId],
          [...Array.from({ length: 63 }, (_, index) => `EMP-${index}`), employeeId],
        ].map((values) => ({
          what: `for one of the values ${JSON.stringify(values.slice(0, 3))}`,
          behaviour: { query: { claims: [{ path: [`${subject}.mandatee.employeeId`], values }] } },
        })),
    },
    'W127-optional-request-claims': {
      title: 'A request without its optional claims is answered',
      level: 'final',
      clauses: ['RFC 7519, 4.1', 'OpenID4VP 1.0, 5'],
      description:
        'No registered claim of a JWT is mandatory, and verifiers send only what they need. A wallet that requires more does not answer them.',
      sends:
        'Signed requests at request_uri without exp, iat, aud and state, with an aud that is a list, with an nbf in the past, and with a fraction in its times.',
      fix: 'Treat exp, nbf, iat, aud and state of a request as optional. Accept aud as a string or as an array, and numbers with a fraction as times.',
      requests: ({ now }) => [
        ...(['exp', 'iat', 'aud'] as const).map((name) => ({
          what: `without ${name}`,
          behaviour: { claims: { [name]: undefined } },
        })),
        {
          what: 'without state',
          fix: 'Treat state of the request as optional. Without it, omit state from the form.',
          behaviour: { parameters: { state: undefined } },
          problem: ({ post }) =>
            post.form.has('state') ? 'The post contains a state.' : undefined,
        },
        {
          what: 'whose aud is a list',
          behaviour: {
            claims: { aud: ['https://wallet.example', 'https://self-issued.me/v2'] },
          },
        },
        { what: 'whose nbf was a minute ago', behaviour: { claims: { nbf: now() - 60 } } },
        {
          what: 'with fractions in its times',
          behaviour: { claims: { iat: now() - 0.5, exp: now() + 60.5 } },
        },
        { what: 'that ends in ten seconds', behaviour: { claims: { exp: now() + 10 } } },
      ],
    },
    'W128-unusual-verifiers': {
      title: 'A request of an unusual but valid verifier is answered',
      level: 'practice',
      description:
        'Verifiers differ in keys, clocks and addresses. A wallet that supports only the usual one locks out the users of the others.',
      sends:
        'Signed requests at request_uri with a P-256 or Ed25519 key, with a high s or a short r in the signature, with other optional members in the DID document, with a key for authentication only or for assertions only, with a clock that is 30 seconds fast, with a query in response_uri and request_uri, with a charset in Content-Type, with client_id before request_uri, with another nonce, state or response_uri in the link, with plus signs for spaces in the link, with the scheme of the link in capital letters, and with special characters or 2,001 characters in state and nonce.',
      fix: 'Support ES256 and EdDSA with registered P-256 and Ed25519 keys, every valid ES256K signature, keys under authentication or assertionMethod, and a clock that is a minute fast. Use request_uri unchanged, and response_uri, state and nonce only as the signed request has them.',
      requests: async ({ trust, now }) => {
        const { world } = trust
        const party = registerIssuer(world)
        const signShort = signJwtWith(await findShortR())
        return [
          ...otherSuites.map(({ curve, alg, fix }) => ({
            what: `that is signed with a ${curve} key`,
            fix,
            behaviour: { party: addKey(world, party, { curve }), header: { alg } },
          })),
          {
            what: 'whose signature has a high s',
            fix: signatureFixes.highS,
            behaviour: { party, afterwards: raiseS },
          },
          {
            what: 'whose signature has an r that begins with a zero byte',
            fix: signatureFixes.shortR,
            behaviour: {
              party,
              afterwards(jwt: string) {
                const jws = parseJws(jwt)
                return jws.ok ? signShort(jws.header, jws.payload, party.privateKey) : jwt
              },
            },
          },
          ...registerWithDocuments(trust, validDocuments).map(({ does, party }) => ({
            what: `of a verifier whose DID document ${does}`,
            fix: documentFix,
            behaviour: { party },
          })),
          ...['n', specialText, longToken].map((text) => ({
            what: `with a state and a nonce of ${text.length} characters: ${text.slice(0, 20)}`,
            fix: 'Copy state of the request into the form, with form encoding, and nonce into the presentation, both unchanged and of any length.',
            behaviour: { parameters: { state: text, nonce: text } },
            problem: ({ post }: TakenPresentation) =>
              post.form.get('state') === text && post.payload.nonce === text
                ? undefined
                : 'The presentation does not contain state and nonce unchanged.',
          })),
          ...(['authentication', 'assertionMethod'] as const).map((relationship) => ({
            what: `that is signed with a key for ${relationship} only`,
            fix: 'Accept a key for requests that is under authentication or under assertionMethod of the DID document. Do not require both.',
            behaviour: { party: addKey(world, party, { relationship }) },
          })),
          {
            what: 'of a verifier whose clock is 30 seconds fast',
            fix: 'Accept a request whose iat and nbf are up to a minute in the future: set the clock tolerance of your JWT library.',
            behaviour: { claims: { iat: now() + 30, nbf: now() + 30 } },
          },
          {
            what: 'whose response_uri has a query',
            fix: keepQuery('response_uri of the request'),
            behaviour: {
              parameters: (verifier: string) => ({
                response_uri: `${verifier}/response${unusualQuery}`,
              }),
            },
            problem: ({ session }: TakenPresentation) =>
              queryProblem(session.requestsTo('response')),
          },
          {
            what: 'whose request_uri has a query',
            fix: `Decode the parameters of the link once. ${keepQuery('request_uri')}`,
            link: (session: VerifierSession) =>
              session.requestByReference(session.party.did, unusualQuery),
            problem: ({ session }: TakenPresentation) =>
              queryProblem(session.requestsTo('request')),
          },
          ...besideRequestUri,
          {
            what: 'whose link has client_id before request_uri',
            fix: 'Find client_id and request_uri in the link by their names, in any order.',
            link({ party, baseUrl }: VerifierSession) {
              const parameters = { client_id: party.did, request_uri: `${baseUrl}/request` }
              return `openid4vp://?${new URLSearchParams(parameters)}`
            },
          },
          {
            // RFC 3986, 3.1: a QR code in capital letters is smaller.
            what: 'whose link has its scheme in capital letters',
            fix: 'Compare the scheme of the link with openid4vp regardless of case.',
            link: (session: VerifierSession) =>
              session
                .requestByReference(session.party.did)
                .replace(/^[^:]+/, (scheme) => scheme.toUpperCase()),
          },
          {
            what: 'with spaces in its query, which are plus signs in the link',
            fix: 'Decode the parameters of the link like those of a form: + is a space.',
            link(session: VerifierSession) {
              const { searchParams } = new URL(session.requestByValue())
              const query = JSON.parse(searchParams.get('dcql_query') ?? '')
              searchParams.set('dcql_query', JSON.stringify(query, null, 1))
              return `openid4vp://?${searchParams}`
            },
          },
          {
            what: 'that is served with a charset',
            fix: 'Compare only the media type of Content-Type with application/oauth-authz-req+jwt, and ignore its parameters, such as charset.',
            behaviour: { answers: { request: withCharset } },
          },
        ]
      },
    },
    'W152-other-answers': {
      title: 'A success response of the verifier counts, regardless of its body',
      level: 'practice',
      description:
        'A verifier may answer the post without redirect_uri. A wallet that fails at the body reports an error after a successful login.',
      sends:
        'Verifiers that answer the post with 200 and an object without redirect_uri, with redirect_uri null, null, a list, a string, a number, an HTML page, or JSON that is cut off.',
      fix: 'Treat a 200 of response_uri as success. Use redirect_uri only if the body is a JSON object with a URL in it, and ignore any other body.',
      requests: () =>
        otherBodies.map((body) => ({
          what: `that is answered with ${body}`,
          behaviour: { answers: { response: () => ({ status: 200, body }) } },
        })),
    },
  },
  ({ requests, ...texts }) => ({
    expectation: 'accept',
    control: 'requests',
    decides: 'The kit must receive a presentation for each request, and the wallet must report it.',
    timeLimitMilliseconds: 120_000,
    ...texts,
    run: async (context) => findEachAnswered(context, await requests(context)),
  }),
)

const otherBodies = [
  '{}',
  '{"redirect_uri":null}',
  '{"redirect_uri":{}}',
  'null',
  '[]',
  '"done"',
  '7',
  '<h1>Done</h1>',
  '{"redirect_uri":"https://',
]

const withCharset: ReplaceAnswer = (usual) => ({
  ...usual,
  contentType: `${usual.contentType}; charset=utf-8`,
})

/** Every special character that state and nonce may contain (OpenID4VP 1.0, 5.2). */
const specialText = '-a_b.C~7-'
