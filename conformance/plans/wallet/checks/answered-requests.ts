import { encodeBase64url } from '#core/crypto/base64url.ts'
import { createSignature } from '#core/crypto/jws.ts'
import { decodePercent } from '#core/text/decode-percent.ts'
import { broken, defineChecks, type Finding, held, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { mandate as defaultMandate, type Party } from '../../../world/create-trust-world.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import { escapedTexts } from '../counterparts/unusual-values.ts'
import type { VerifierSession } from '../counterparts/verifier-session.ts'
import { takeCredential } from '../findings/issuance-findings.ts'
import { findProblems } from '../findings/message-findings.ts'
import {
  findEachAnswered,
  findRequestRefused,
  takePresentation,
} from '../findings/presentation-findings.ts'

/** Presentation requests that a wallet must answer. */
export const checks = defineChecks<WalletContext>({
  'W32-request-by-value': {
    title: 'A request in the link itself is answered',
    level: 'spec',
    expectation: 'accept',
    control: 'requests',
    rows: [
      '1.resources-and-their-fields/presentation-authorization-request.8',
      '1.resources-and-their-fields/presentation-authorization-request.1',
      '1.resources-and-their-fields/presentation-authorization-request.2',
      '1.resources-and-their-fields/presentation-authorization-request.3',
      '1.resources-and-their-fields/presentation-authorization-request.4',
      '1.resources-and-their-fields/presentation-authorization-request.5',
    ],
    description: 'A request may consist of URL-encoded parameters, with dcql_query as JSON.',
    sends:
      'A link openid4vp://?response_type=…&client_id=… with all parameters. client_id is the address of the verifier. Then one whose client_id is response_uri after the prefix redirect_uri:.',
    decides:
      'The kit must receive a presentation with client_id as aud and nonce of the link, and the wallet must report it. It may reject the prefix.',
    fix: 'Read the parameters of an openid4vp:// link without request_uri from the link itself, parse dcql_query as JSON, and post the presentation to response_uri. Set its aud to client_id, unchanged, even if that is a URL or has a prefix.',
    async run(context) {
      const { session, post } = await takePresentation(context, {
        link: (verifier) => verifier.requestByValue(),
      })
      const { aud, nonce } = post.payload
      const finding = findProblems(
        'The presentation',
        [
          [[aud].flat().join() === session.baseUrl, `aud is ${JSON.stringify(aud)}, not client_id`],
          [nonce === session.nonce, 'nonce is not that of the link'],
        ],
        'post to response_uri',
      )
      return finding.kind === 'held' ? findPrefixKept(context) : finding
    },
  },
  'W33-request-by-reference': {
    title: 'A request at request_uri is fetched and answered',
    level: 'spec',
    expectation: 'accept',
    control: 'requests',
    rows: [
      '1.resources-and-their-fields/presentation-authorization-request.8',
      '1.resources-and-their-fields/presentation-authorization-request.9',
    ],
    clauses: ['RFC 9101, 5.2.3'],
    description:
      'This is the recommended way: the QR code is small, and the verifier creates the request on demand.',
    sends: 'A link openid4vp://?request_uri=… whose address returns the request as a signed JWT.',
    decides:
      'The wallet must fetch the request, and the kit must receive a presentation with client_id of the request as aud. A method other than GET is a WARN.',
    fix: 'If the link has request_uri, send GET to it and verify the returned JWT. Answer the request in its claims, not the parameters of the link.',
    async run(context) {
      const { session, post } = await takePresentation(context, {
        link: (verifier) => verifier.requestByReference(),
      })
      const methods = session.requestsTo('request').map(({ method }) => method)
      const other = methods.find((method) => method !== 'GET')
      if (other !== undefined) {
        const details = { verdictSource: 'request_uri', expected: 'GET', actual: other }
        return { ...broken(`The wallet sent ${other} to request_uri.`, details), level: 'final' }
      }
      const { aud } = post.payload
      if ([aud].flat().join() !== session.party.did) {
        const details = { verdictSource: 'post to response_uri', expected: session.party.did }
        return broken('aud is not client_id of the request.', { ...details, actual: aud })
      }
      return methods.length > 0
        ? held('The wallet fetched the request and answered it.', { verdictSource: 'request_uri' })
        : broken('The wallet answered without fetching the request.', {
            verdictSource: 'request_uri',
          })
    },
  },
  'W34-signed-request-verified': {
    title: 'The wallet looks up the key of a signed request',
    level: 'final',
    expectation: 'accept',
    control: 'requests',
    clauses: ['RFC 9101, 6.2', 'OpenID4VP 1.0, 5.9.3'],
    description:
      'A signature proves who sent the request only if it is verified with the DID document of the verifier.',
    sends: 'A signed request of a verifier that was registered a moment ago.',
    decides:
      'The wallet must request the DID document of the verifier from the registry, and post a presentation.',
    fix: 'Resolve the DID in client_id through the DID registry, and verify the signature of the request with the key in kid before you ask the holder or post to response_uri.',
    async run(context) {
      await context.holdCredential()
      const { world } = context.trust
      const party = registerIssuer(world)
      await takePresentation(context, { behaviour: { party } })
      const verdictSource = 'requests to the DID registry'
      const isAsked = context.trust.asked.some((path) => decodePercent(path)?.includes(party.did))
      return isAsked
        ? held('The wallet looked up the key of the verifier.', { verdictSource })
        : broken('The wallet answered without requesting the DID document of the verifier.', {
            verdictSource,
          })
    },
  },
  'W55-request-used-up': {
    title: 'A used request is not answered from a cache',
    level: 'practice',
    expectation: 'refuse',
    control: 'requests',
    description:
      'A verifier may serve a request only once. A wallet that answers a cached copy presents to a session that is over.',
    sends: 'A link that the wallet has already answered. Its request_uri now returns 404.',
    decides:
      'For the first answer, the wallet must fetch the request once and post once. It must not post again, and must report a rejection.',
    fix: 'Fetch request_uri each time the holder opens a link, and do not cache requests. If it does not return 200, show an error and do not post.',
    async run(context) {
      let isUsedUp = false
      const { session } = await takePresentation(context, {
        behaviour: {
          answers: { request: (usual) => (isUsedUp ? { status: 404, body: '{}' } : usual) },
        },
      })
      const fetched = session.requestsTo('request').length
      if (fetched > 1) {
        return broken(`The wallet fetched the request ${fetched} times to answer it once.`, {
          verdictSource: 'requests to request_uri',
          fix: 'Fetch request_uri once for each link that the holder opens, and answer the request that you verified and showed. Another response may contain another request, or be an error.',
        })
      }
      if (session.posts.length > 1) {
        return broken(`The wallet posted its answer ${session.posts.length} times.`, {
          verdictSource: 'posts to response_uri',
          fix: 'Post to response_uri once. Repeat the post only after an error, not after a response with the status 200.',
        })
      }
      isUsedUp = true
      const {
        outcome,
        reason,
        source: verdictSource,
      } = await context.wallet.present({
        link: session.requestByReference(session.party.did),
      })
      if (session.posts.length > 1) {
        return broken('The wallet answered the same request twice.', {
          verdictSource: 'posts to response_uri',
        })
      }
      return outcome === 'refused'
        ? held(`The wallet did not post again and reported: ${reason}`, { verdictSource })
        : inconclusive(`The wallet did not post again; ${reason}`, { verdictSource })
    },
  },
  'W75-unknown-request-members': {
    title: 'Unknown members of a request are ignored',
    level: 'final',
    expectation: 'accept',
    control: 'requests',
    clauses: ['OpenID4VP 1.0, 5', 'RFC 6749, 3.1'],
    description:
      'Verifiers send more than the profile defines. A wallet that rejects unknown members will fail with later verifiers.',
    sends:
      'A signed request at request_uri with unknown claims, and with unknown members in client_metadata and at each level of its query, and with Nonce and State as well as nonce and state. Then one whose link has an unknown parameter, and request_uri_method=get.',
    decides: 'The kit must receive each presentation, and the wallet must report it.',
    fix: 'Ignore unknown parameters of the link, and unknown members of the request, client_metadata and dcql_query. Validate only what you use.',
    run(context) {
      const unknown = {
        x_number: 7,
        x_list: [1, { deep: true }],
        x_object: { a: null },
        x_texts: escapedTexts,
      }
      const element = {
        id: 'mandate',
        format: 'jwt_vc_json',
        meta: { vct_values: ['OrgPortalLearCredential'], ...unknown },
        claims: [{ path: ['$.vc.credentialSubject.mandate'], ...unknown }],
        ...unknown,
      }
      return findEachAnswered(context, [
        {
          what: 'with unknown members',
          behaviour: {
            claims: { ...unknown, client_metadata: { client_name: 'The kit', ...unknown } },
            query: unknown,
          },
        },
        {
          what: 'that also has Nonce and State',
          fix: 'Compare the names of members with regard to case: Nonce is unknown. Some JSON libraries need an option for that, or a map instead of a structure.',
          behaviour: { claims: { Nonce: 'another-nonce', State: 'another-state' } },
          problem: ({ session, post }) =>
            post.payload.nonce === session.nonce && post.form.get('state') === session.state
              ? undefined
              : 'The wallet used the value of Nonce or State instead of nonce or state.',
        },
        {
          what: 'with unknown members at each level of its query',
          behaviour: { parameters: { dcql_query: { credentials: [element], ...unknown } } },
        },
        {
          what: 'whose link has an unknown parameter',
          link: (verifier) =>
            `${verifier.requestByReference(verifier.party.did)}&request_uri_method=get&x_unknown=1`,
        },
      ])
    },
  },
  'W147-request-duplicate-claims': {
    title: 'The wallet uses the last value of a repeated claim, or rejects the request',
    level: 'final',
    expectation: 'advice',
    control: 'requests',
    clauses: ['RFC 7519, 4'],
    description:
      'If the wallet shows the first value to the holder and uses the last, or verifies one and uses the other, a signed request has two meanings.',
    sends:
      'Signed requests at request_uri in which response_uri, nonce or state occurs twice, with another value first.',
    decides:
      'The wallet must not post, or post to the last response_uri with the last nonce and state.',
    fix: 'Reject a JWT in which a claim occurs twice, or use a JSON parser that returns only the last one, and parse the JWT once.',
    async run(context) {
      await context.holdCredential()
      const party = registerIssuer(context.trust.world)
      const verdictSource = 'posts to response_uri'
      return findEach(['response_uri', 'nonce', 'state'] as const, async (name) => {
        const session: VerifierSession = context.openVerifier({
          party,
          afterwards: (jwt) => repeatClaim(jwt, party, { name, value: otherValue(name, session) }),
        })
        const link = session.requestByReference(party.did)
        const { reason, outcome } = await context.wallet.present({ link })
        const [post] = session.posts
        const first = otherValue(name, session)
        if (session.requestsTo('elsewhere').length > 0) {
          return broken('The wallet posted to the first of two response_uri.', { verdictSource })
        }
        if (post && [post.payload.nonce, post.form.get('state')].includes(first)) {
          return broken(`The wallet used the first of two values of ${name}.`, { verdictSource })
        }
        if (!post && outcome !== 'refused') return inconclusive(reason)
        return held(`The wallet did not use the first value of ${name}.`, { verdictSource })
      })
    },
  },
  'W162-values-of-claims': {
    title:
      'A claim counts if its value is false, 0 or empty, and a number is not equal to its text',
    level: 'spec',
    expectation: 'accept',
    control: 'requests',
    rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
    clauses: ['OpenID4VP 1.0, 6.3'],
    description:
      'The credential contains a claim regardless of its value. A wallet that tests the value itself treats false and 0 as missing. A wallet that compares strings treats 0 and "0" as equal.',
    sends:
      'A credential with five claims that are false, 0, and an empty string, list and object. Then a request for each claim, and one for the value "0" (values) of the number.',
    decides:
      'The wallet must answer the first five requests. A response to the last one is a WARN: only OpenID4VP defines values.',
    fix: 'Test whether a path selects something, not whether the selected value is true. Compare elements of values with === or equals, without conversion of types.',
    async run(context) {
      const mandatee = { ...defaultMandate.mandatee, ...unusualClaims }
      const mandate = { ...defaultMandate, mandatee }
      await asPremise(
        'accepting a credential with additional claims (see W120)',
        takeCredential(context, {
          behaviour: {
            credential: (order) => issueCredential(context.trust.world, { ...order, mandate }),
          },
        }),
      )
      const path = (name: string) => [`$.vc.credentialSubject.mandate.mandatee.${name}`]
      const answered = await findEachAnswered(
        context,
        Object.entries(unusualClaims).map(([name, value]) => ({
          what: `for a claim that is ${JSON.stringify(value)}`,
          behaviour: { query: { claims: [{ path: path(name) }] } },
        })),
      )
      if (answered.kind !== 'held') return answered
      const refused = await findRequestRefused(context, {
        why: 'it asks for a string, and the claim is a number',
        behaviour: { query: { claims: [{ path: path('x_number'), values: ['0'] }] } },
      })
      return refused.kind === 'broken' ? { ...refused, level: 'final' } : refused
    },
  },
  'W163-requests-at-once': {
    title: 'Two requests that are answered at the same time keep their verifiers and nonces',
    level: 'practice',
    expectation: 'accept',
    needs: ['two-at-once'],
    control: 'requests',
    description:
      'A wallet that keeps the current request in one variable sends one verifier a presentation for the other, which could use it there.',
    sends: 'Signed requests of two verifiers at request_uri, both verbs at the same time.',
    decides:
      'Each verifier may receive only presentations with its own client_id as aud and with its own nonce. If the wallet rejects one of the requests, the check is inconclusive.',
    fix: 'Keep client_id, nonce, state and response_uri with their request, not in one variable of the wallet.',
    async run(context) {
      await context.holdCredential()
      const parties = [0, 1].map(() => registerIssuer(context.trust.world))
      const sessions = parties.map((party) => context.openVerifier({ party }))
      const answers = await Promise.all(
        sessions.map(({ requestByReference, party }) =>
          context.wallet.present({ link: requestByReference(party.did) }),
        ),
      )
      const verdictSource = 'posts to response_uri'
      const isForeign = sessions.some(({ posts, party, nonce }) =>
        posts.some(({ payload }) => payload.nonce !== nonce || `${payload.aud}` !== party.did),
      )
      if (isForeign) {
        const reason = 'A verifier received a presentation that was not for its own request.'
        return broken(reason, { verdictSource })
      }
      const undone = answers.find(({ outcome }) => outcome !== 'done')
      if (undone || sessions.some(({ posts }) => posts.length === 0)) {
        const reason = undone?.reason ?? 'It did not post.'
        return inconclusive(`The wallet did not answer both requests: ${reason}`)
      }
      return held('Each verifier received a presentation for its own request.', { verdictSource })
    },
  },
  'W92-signed-request-in-link': {
    title: 'A signed request in the link itself is answered',
    level: 'final',
    expectation: 'accept',
    control: 'requests',
    rows: ['1.resources-and-their-fields/presentation-authorization-request.9'],
    clauses: ['RFC 9101, 5.1', 'OpenID4VP 1.0, 5'],
    description:
      'The request may be a signed JWT, and a small one fits into the link. The profile shows the link without the parameter request, which RFC 9101 defines for it.',
    sends: 'A link openid4vp://?client_id=…&request=… with the signed JWT.',
    decides: 'The kit must receive a presentation, and the wallet must report it.',
    fix: 'If the link has the parameter request, parse it as a signed JWT, verify it like a request from request_uri, and answer it.',
    async run(context) {
      const { answer } = await takePresentation(context, {
        link: (verifier) => verifier.requestInLink(),
      })
      return held('The wallet answered the signed request in the link.', {
        verdictSource: answer.source,
      })
    },
  },
  'W93-several-types-accepted': {
    title: 'A query that accepts several types is answered with one of them',
    level: 'spec',
    expectation: 'accept',
    control: 'requests',
    rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
    description: 'meta.vct_values is a list of accepted types: one of them is enough.',
    sends:
      'A signed request at request_uri whose query accepts two types and asks for two claims. The wallet holds a credential of one of the types.',
    decides: 'The kit must receive a presentation, and the wallet must report it.',
    fix: 'Treat meta.vct_values as alternatives: select a credential that has one of these types and every requested claim.',
    async run(context) {
      const { answer } = await takePresentation(context, {
        behaviour: {
          query: {
            meta: { vct_values: ['SomeOtherCredential', 'OrgPortalLearCredential'] },
            claims: [
              { path: ['$.vc.credentialSubject.mandate.power'] },
              { path: ['$.vc.credentialSubject.mandate.mandatee.employeeId'] },
            ],
          },
        },
      })
      return held('The wallet answered with the type that it holds.', {
        verdictSource: answer.source,
      })
    },
  },
})

/** OpenID4VP 1.0 has prefixes in client_id, the profile has none: a wallet may reject them. */
async function findPrefixKept(context: WalletContext): Promise<Finding> {
  await context.holdCredential()
  const session = context.openVerifier()
  const clientId = `redirect_uri:${session.baseUrl}/response`
  const { outcome, reason, source } = await context.wallet.present({
    link: session.requestByValue(clientId),
  })
  const [post] = session.posts
  if (post !== undefined) {
    const aud = JSON.stringify(post.payload.aud)
    return findProblems(
      'The presentation for a client_id with the prefix redirect_uri:',
      [[[post.payload.aud].flat().join() === clientId, `aud is ${aud}, not client_id`]],
      'post to response_uri',
    )
  }
  const verdictSource = source
  return outcome === 'refused'
    ? held('The presentation is as documented. The wallet rejects the prefix redirect_uri:.', {
        verdictSource,
      })
    : inconclusive(`The wallet did not answer a client_id with redirect_uri: ${reason}`, {
        verdictSource,
      })
}

const unusualClaims = { x_flag: false, x_number: 0, x_text: '', x_list: [], x_object: {} }

const otherValue = (name: 'response_uri' | 'nonce' | 'state', { baseUrl }: VerifierSession) =>
  name === 'response_uri' ? `${baseUrl}/elsewhere` : `another-${name}`

/** Signs the same claims again, with another value of one of them before the others. */
function repeatClaim(
  jwt: string,
  { privateKey }: Party,
  { name, value }: { readonly name: string; readonly value: string },
): string {
  const [header = '', payload = ''] = jwt.split('.')
  const claims = Buffer.from(payload, 'base64url').toString('utf8').slice(1)
  const first = JSON.stringify({ [name]: value }).slice(0, -1)
  const input = `${header}.${encodeBase64url(`${first},${claims}`)}`
  return `${input}.${encodeBase64url(createSignature('ES256K', privateKey, Buffer.from(input)))}`
}
