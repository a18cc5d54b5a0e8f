import { setTimeout } from 'node:timers/promises'
import {
  broken,
  defineChecks,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import type { ServedRequest } from '../../../world/start-kit-server.ts'
import type { WalletContext } from '../context.ts'
import type { IssuerRequest } from '../counterparts/issuer-session.ts'
import { membersIn } from '../counterparts/read-proof.ts'
import {
  describeRequests,
  findStopped,
  listsCredential,
  observeIssuance,
  takeCredential,
} from '../findings/issuance-findings.ts'
import { takePresentation } from '../findings/presentation-findings.ts'

/** Members of metadata that the profile does not require; a wallet may ignore them. */
const insecureEndpoints = {
  token_endpoint: { path: '/token-over-http', deferredPolls: undefined },
  deferred_credential_endpoint: { path: '/later', deferredPolls: 0 },
} as const

/** Which requests a wallet sends, in which order, and what each one reveals. */
export const checks = defineChecks<WalletContext>({
  'W165-http-token-or-poll': {
    title: 'A wallet sends no code and no poll to an http address of an https issuer',
    level: 'final',
    expectation: 'refuse',
    control: 'offers',
    clauses: ['OpenID4VCI 1.0, 12.2.4'],
    description:
      'Anyone on the network path can read a code, or a token in a poll, and get the credential.',
    sends:
      'Offers of an https issuer whose metadata has an http token_endpoint, or an http deferred_credential_endpoint for a deferred credential.',
    decides:
      'The wallet must not send a request to these addresses. It may reject the offer, or use the addresses of the profile, /token and /deferred_credential.',
    fix: 'If credential_issuer uses https, require https in token_endpoint and deferred_credential_endpoint. Otherwise show an error, or use /token and /deferred_credential of the issuer.',
    needs: ['https'],
    run: (context) =>
      findEach(Object.entries(insecureEndpoints), async ([member, { path, deferredPolls }]) => {
        const session = context.openIssuer({
          ...(deferredPolls !== undefined && { deferredPolls }),
          metadata: (issuer) => ({ [member]: `${issuer.replace('https:', 'http:')}${path}` }),
        })
        const { outcome, reason, source } = await context.wallet.acceptOffer({
          link: session.offerByValue(),
        })
        const sent = session.requests.filter((request) => request.path === path)
        const verdictSource = `requests to ${member}`
        if (sent.length > 0) {
          const details = { verdictSource, expected: 0, actual: sent.length }
          return wronglyAccepted(`The wallet used ${member} although it is http.`, details)
        }
        const silent = `The wallet sent nothing to the http ${member}.`
        return outcome === 'failed'
          ? inconclusive(`${silent} ${reason}`, { verdictSource: source })
          : held(silent, { verdictSource })
      }),
  },
  'W132-secrets-where-they-belong': {
    title: 'Codes, PINs and tokens are sent only to their endpoint',
    level: 'practice',
    expectation: 'advice',
    control: 'offers',
    description:
      'A code, a PIN or a token in another request ends up in the logs of another organization, which can use it.',
    sends:
      'An offer with a PIN whose issuer sets a cookie for its path and defers the credential, then a valid request of a verifier.',
    decides:
      'The code and the PIN may be only in the token request, the access token only in the credential request and the poll, and the cookie only in requests to the issuer. No URL may contain one of them.',
    fix: 'Send pre-authorized_code and tx_code only in the body of the token request, and the access token only in Authorization of requests to the issuer. Do not share cookies between hosts or paths.',
    async run(context) {
      const pin = '83920174'
      const cookie = 'kit-cookie-7f3a9c'
      const { session } = await asPremise(
        'polling for a deferred credential (see W15)',
        takeCredential(context, {
          behaviour: {
            pin,
            deferredPolls: 0,
            answers: {
              token: (usual) => ({
                ...usual,
                headers: { 'set-cookie': `session=${cookie}; Path=/issuers` },
              }),
            },
          },
        }),
      )
      const { session: verifier } = await asPremise(
        'answering a valid request (see W29)',
        takePresentation(context),
      )
      const { preAuthorizedCode, accessToken } = session
      const secrets: readonly Secret[] = [
        { name: 'the code', value: preAuthorizedCode, endpoints: ['token'] },
        { name: 'the PIN', value: pin, endpoints: ['token'] },
        { name: 'the access token', value: accessToken, endpoints: ['credential', 'deferred'] },
        { name: 'the cookie', value: cookie, endpoints: ['credential', 'deferred', 'metadata'] },
      ]
      const sent: readonly Sent[] = [
        ...session.requests,
        ...verifier.requests.map((request) => ({ ...request, endpoint: 'the verifier' })),
        ...context.trust.received.map((request) => ({ ...request, endpoint: 'a registry' })),
      ]
      const leaks = sent.flatMap((request) => secrets.flatMap((secret) => leakOf(request, secret)))
      const verdictSource = 'all requests of the wallet'
      return leaks.length === 0
        ? held('Each secret was sent only to its endpoint.', { verdictSource })
        : broken(`The wallet sent ${[...new Set(leaks)].join(', ')}.`, { verdictSource })
    },
  },
  'W160-offers-at-once': {
    title: 'Two offers that are accepted at the same time keep their codes, nonces and credentials',
    level: 'practice',
    expectation: 'accept',
    needs: ['two-at-once'],
    control: 'offers',
    description:
      'Holders open the second link before the first offer is complete. A wallet that keeps the current offer in one variable sends the code to the wrong issuer, or loses a credential.',
    sends: 'Two offers of two issuers with different PINs, both verbs at the same time.',
    decides:
      'Each issuer may receive only the code, PIN, access token and c_nonce of its offer and proofs with itself in aud, and a wallet with a list must list both credentials. If the wallet rejects one of the offers, the check is inconclusive.',
    fix: 'Keep issuer, code, PIN, access token and c_nonce with their offer, not in one variable of the wallet. Add a credential to the store in one step, instead of writing the whole list back.',
    async run(context) {
      const { wallet } = context
      // Long enough that no port in a Host header contains one by chance.
      const pins = ['83920174', '51634982']
      const sessions = pins.map((pin) => context.openIssuer({ pin }))
      const answers = await Promise.all(
        sessions.map((session, at) => {
          const pin = pins[at]
          return wallet.acceptOffer({ link: session.offerByValue(), ...(pin && { pin }) })
        }),
      )
      context.noteChanged()
      const verdictSource = 'all requests of the wallet'
      const foreign = sessions.flatMap(({ preAuthorizedCode, accessToken }, at) => {
        const secrets: readonly Secret[] = [
          { name: 'the code', value: preAuthorizedCode, endpoints: [] },
          { name: 'the PIN', value: pins[at] ?? '', endpoints: [] },
          { name: 'the access token', value: accessToken, endpoints: [] },
        ]
        const others = sessions.filter((_, other) => other !== at)
        return others
          .flatMap(({ requests }) => requests)
          .flatMap((request) => secrets.flatMap((secret) => leakOf(request, secret)))
      })
      if (foreign.length > 0) {
        const leaks = [...new Set(foreign)].join(', ')
        return broken(`The wallet sent to the wrong issuer: ${leaks}.`, { verdictSource })
      }
      for (const { proofs } of sessions) {
        const wrong = proofs.find(({ payload, expectedNonce }) => payload.nonce !== expectedNonce)
        if (wrong) return broken('A proof has the c_nonce of the other offer.', { verdictSource })
        const isForeign = proofs.some(({ payload }) =>
          sessions.some(
            (other) => other.proofs !== proofs && `${payload.aud}` === other.credentialIssuer,
          ),
        )
        if (isForeign) return broken('A proof has the other issuer in aud.', { verdictSource })
      }
      const undone = answers.find(({ outcome }) => outcome !== 'done')
      if (undone) return inconclusive(`The wallet did not accept both offers: ${undone.reason}`)
      if (sessions.some(({ delivered }) => delivered.length === 0)) {
        return inconclusive('The wallet reported both credentials, but did not request them.')
      }
      if (!wallet.can.list) return held('Each issuer received its own values.', { verdictSource })
      const { credentials, outcome, reason, source } = await wallet.list()
      if (outcome !== 'done') return inconclusive(reason, { verdictSource: source })
      const missing = sessions.filter(({ delivered: [credential = ''] }) => {
        return !listsCredential(credentials, credential)
      })
      return missing.length === 0
        ? held('Each issuer received its own values, and both credentials are listed.', {
            verdictSource,
          })
        : broken('The wallet reported both credentials, but does not list one of them.', {
            verdictSource: source,
          })
    },
  },
  'W167-dated-when-signed': {
    title: 'Proofs and presentations are dated when they are signed',
    level: 'final',
    expectation: 'advice',
    control: 'requests',
    clauses: ['RFC 7519, 4.1.6'],
    description:
      'A wallet that reads the clock only once works until issuers and verifiers reject what it signs as too old.',
    sends: 'An offer and a request, and three seconds later another offer and another request.',
    decides:
      'iat of the later proof and of the later presentation must be at least one second after iat of the earlier one.',
    fix: 'Read the clock each time you sign. A time that is computed when a program starts or loads a module, such as a default argument in Python, does not change.',
    async run(context) {
      const readDates = async () => {
        const { session } = await takeCredential(context)
        const { post } = await takePresentation(context)
        return [session.proofs.at(-1)?.payload.iat, post.payload.iat]
      }
      const earlier = await readDates()
      await setTimeout(3000, undefined, { signal: context.signal })
      const later = await readDates()
      for (const [index, what] of ['proof of possession', 'presentation'].entries()) {
        const [first, second] = [earlier[index], later[index]]
        if (typeof first !== 'number' || typeof second !== 'number') {
          return inconclusive(`iat of the ${what} is not a number: see W27 and W29.`)
        }
        if (second - first < 1) {
          return broken(`iat of the ${what} is that of one signed three seconds earlier.`, {
            verdictSource: 'messages of the wallet',
            expected: `at least ${first + 1}`,
            actual: second,
          })
        }
      }
      return held('Each proof and each presentation has its own time.', {
        verdictSource: 'messages of the wallet',
      })
    },
  },
  'W133-one-request-each': {
    title: 'Each endpoint of the issuer is called once, in the documented order',
    level: 'practice',
    expectation: 'advice',
    description:
      'A code can be redeemed once. A wallet that repeats requests without a reason loses it, or receives credentials that it does not store.',
    sends: 'An offer by reference of a fully conformant issuer.',
    decides:
      'The wallet must read the metadata before the token request. It must send one token request, then one credential request.',
    fix: 'Fetch the metadata first, redeem the code with one token request, and send one credential request for each offered credential. Repeat a request only after an error.',
    async run(context) {
      const { session } = await asPremise(
        'accepting an offer by reference (see W02)',
        takeCredential(context, { link: (issuer) => issuer.offerByReference() }),
      )
      const order = session.requests.map(({ endpoint }) => endpoint)
      const problems = [
        ...(['token', 'credential'] as const).flatMap((endpoint) => {
          const { length } = session.requestsTo(endpoint)
          return length === 1 ? [] : [`${length} ${endpoint} requests`]
        }),
        ...(order.indexOf('metadata') < order.indexOf('token') && order.includes('metadata')
          ? []
          : ['no metadata request before the token request']),
        ...(['offer', 'metadata'] as const).flatMap((endpoint) =>
          session.requestsTo(endpoint).every(({ method }) => method === 'GET')
            ? []
            : [`a request for the ${endpoint} other than GET`],
        ),
      ]
      const verdictSource = 'requests to the issuer'
      return problems.length === 0
        ? held(`The wallet followed the order: ${describeRequests(session)}`, { verdictSource })
        : broken(`The issuer received ${problems.join(', ')}.`, { verdictSource, actual: order })
    },
  },
  'W134-offer-opened-again': {
    title: 'An offer that is opened again yields an error, not a second success',
    level: 'practice',
    expectation: 'advice',
    control: 'offers',
    description:
      'Holders scan a QR code twice. The code is used then, and the wallet must say so and keep the credential that it has.',
    sends:
      'A valid offer, and the same link again. The second token request is answered with 400 invalid_grant.',
    decides:
      'The second attempt must not be reported as a success. The wallet must still list the first credential.',
    fix: 'Process each opened link from the beginning, without cached tokens. If the token endpoint rejects the code, show an error and leave the stored credentials unchanged.',
    async run(context) {
      const session = context.openIssuer({
        answers: {
          token: (usual, nth) => (nth === 1 ? usual : { status: 400, body: usedCode }),
        },
      })
      const { wallet } = context
      const open = () => wallet.acceptOffer({ link: session.offerByValue() })
      const first = await open()
      const [credential] = session.delivered
      context.noteChanged()
      if (first.outcome !== 'done' || credential === undefined) {
        return inconclusive(`The wallet did not accept the offer: ${first.reason}`)
      }
      const second = await open()
      const requests = session.requestsTo('token').length
      const stopped = findStopped(second, `after the same offer was opened again`)
      if (stopped.kind !== 'held' || !wallet.can.list) return stopped
      const { credentials, outcome, reason, source: verdictSource } = await wallet.list()
      if (outcome !== 'done') return inconclusive(reason, { verdictSource })
      return listsCredential(credentials, credential)
        ? held(
            `${stopped.reason} It sent ${requests} token requests and still lists the first credential.`,
            { verdictSource },
          )
        : broken('The wallet no longer lists the credential of the first attempt.', {
            verdictSource,
          })
    },
  },
  'W135-metadata-of-each-offer': {
    title: 'The metadata is fetched for each offer, and its endpoint is used unchanged',
    level: 'practice',
    expectation: 'advice',
    control: 'offers',
    description:
      'An issuer may move an endpoint. A wallet that keeps the metadata sends tokens to the old address.',
    sends:
      'Two offers of one issuer. credential_endpoint has a query, which differs in the metadata of the second.',
    decides: 'Each credential request must be sent to the endpoint of the metadata of its offer.',
    fix: 'Fetch the metadata for each offer, or keep it no longer than its headers allow. Use credential_endpoint unchanged, including its query.',
    async run(context): Promise<Finding> {
      const session = context.openIssuer({
        answers: {
          metadata: (usual, nth) => ({
            ...usual,
            body: (usual.body ?? '').replace(/\/credential"/, `/credential?version=${nth}"`),
          }),
          token: (usual) => usual,
        },
      })
      for (const _ of ['first', 'second']) {
        const { outcome, reason } = await context.wallet.acceptOffer({
          link: session.offerByValue(),
        })
        if (outcome !== 'done') return inconclusive(`The wallet rejected the offer: ${reason}`)
      }
      context.noteChanged()
      const versions = session.requestsTo('credential').map(({ query }) => query.get('version'))
      const fetched = session.requestsTo('metadata').length
      const verdictSource = 'credential requests'
      if (fetched > 2) return inconclusive(`The wallet fetched the metadata ${fetched} times.`)
      return `${versions}` === '1,2'
        ? held('Each credential request was sent to the current endpoint.', { verdictSource })
        : broken('A credential request was not sent to the endpoint of its metadata.', {
            verdictSource,
            expected: ['1', '2'],
            actual: versions,
          })
    },
  },
  'W136-other-redirects': {
    title: 'A redirect of any other request is not followed',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description:
      'A redirect leads the wallet to addresses that neither the link nor the metadata named, such as those of a private network.',
    sends:
      'Redirects (302, 307) of the offer, the metadata, the deferred endpoint and request_uri to another address.',
    decides: 'The other address must not receive a request.',
    fix: 'Turn off redirects in the HTTP client for all requests to addresses of other parties, and treat a 3xx as an error.',
    run: (context) =>
      findEach(['offer', 'metadata', 'deferred', 'request_uri'] as const, async (endpoint) => {
        const { requests, elsewhere, reason } =
          endpoint === 'request_uri'
            ? await redirectRequest(context)
            : await redirectOffer(context, endpoint)
        if (requests.length === 0) {
          return inconclusive(`The wallet did not request ${endpoint}: ${reason}`)
        }
        const verdictSource = 'requests to the other address'
        return elsewhere.length === 0
          ? held(`The wallet did not follow a redirect of ${endpoint}.`, { verdictSource })
          : broken(`The wallet followed a redirect of ${endpoint}.`, { verdictSource })
      }),
  },
  'W137-requested-types': {
    title: 'The credential request names the types of the offered credential',
    level: 'practice',
    expectation: 'advice',
    description:
      'An issuer with several credentials finds the requested one by its types. With only VerifiableCredential it must guess.',
    sends: 'An offer of a fully conformant issuer.',
    decides: 'types of the credential request must contain each type of the offered entry.',
    fix: 'Copy types of the offered entry in credentials_supported into the credential request.',
    async run(context) {
      const { request } = await observeIssuance(context, 'credential')
      const requested = typesIn(request)
      const missing = offeredTypes.filter((type) => !requested.includes(type))
      const verdictSource = 'credential request'
      return missing.length === 0
        ? held('The request names each type.', { verdictSource })
        : broken(`types of the request lacks ${missing.join(', ')}.`, {
            verdictSource,
            expected: offeredTypes,
            actual: requested,
          })
    },
  },
  'W138-nonce-of-previous-response': {
    title: 'The next proof contains the c_nonce of the previous credential response',
    level: 'practice',
    expectation: 'advice',
    control: 'offers',
    description:
      'An issuer may send a new c_nonce with each credential. The old one is then used, and a proof with it is rejected.',
    sends:
      'An offer of two credentials. The response with the first contains a new c_nonce. Then a second offer, where it defers the first and c_nonce is a number.',
    decides:
      'The proof for the second credential must contain the new c_nonce. After the number, the wallet may stop, but no proof may contain a nonce other than that of the token response.',
    fix: 'After each credential response with c_nonce, put that value into nonce of the next proof. If it is not a string, stop or ignore it.',
    async run(context) {
      const ids = ['OrgPortalLearCredential', 'OrgPortalLearCredential-2']
      const both = {
        offer: { credentials: ids },
        metadata: { credentials_supported: ids.map((id) => ({ ...entry, id })) },
      }
      const { session } = await asPremise(
        'accepting an offer of two credentials',
        takeCredential(context, {
          behaviour: { ...both, issued: { c_nonce: 'a-new-nonce', c_nonce_expires_in: 300 } },
        }),
      )
      const second = session.proofs[1]
      const verdictSource = 'second credential request'
      if (second === undefined) {
        return inconclusive('The wallet requested only one credential: see W91.', { verdictSource })
      }
      if (second.payload.nonce !== 'a-new-nonce') {
        return broken('The second proof does not contain the new c_nonce.', {
          verdictSource,
          expected: 'a-new-nonce',
          actual: second.payload.nonce,
        })
      }
      const deferring = context.openIssuer({ ...both, deferredPolls: 0, deferral: { c_nonce: 7 } })
      await context.wallet.acceptOffer({ link: deferring.offerByValue() })
      const actual = deferring.proofs[1]?.payload.nonce
      return actual === undefined || actual === deferring.cNonce
        ? held('The second proof contains the new c_nonce, and none a number.', { verdictSource })
        : broken('The wallet signed a c_nonce that is not a string.', { verdictSource, actual })
    },
  },
  'W139-unsafe-redirect-uri': {
    title: 'An unsafe redirect_uri is not passed on',
    level: 'practice',
    expectation: 'advice',
    control: 'requests',
    description:
      'The wallet opens redirect_uri in the browser. With javascript: or file: a verifier would act there in the name of the wallet.',
    sends:
      'Verifiers that answer the post with a redirect_uri that is javascript:, file:, relative, has a space, or is not a string.',
    decides: 'The wallet must neither open nor report the address.',
    fix: 'Use redirect_uri only if it is an absolute http or https URL of printable ASCII characters. Otherwise ignore it.',
    async run(context) {
      return findEach(unsafeAddresses, async (redirectUri) => {
        const { answer } = await takePresentation(context, {
          behaviour: {
            answers: {
              response: () => ({
                status: 200,
                body: JSON.stringify({ redirect_uri: redirectUri }),
              }),
            },
          },
        })
        const { text, source: verdictSource } = answer
        const address = JSON.stringify(redirectUri)
        return text.includes(`${redirectUri}`.slice(0, 20)) && context.wallet.by !== 'a person'
          ? broken(`The wallet reported the address ${address}.`, { verdictSource })
          : held(`The wallet did not report the address ${address}.`, { verdictSource })
      })
    },
  },
})

interface Secret {
  readonly name: string
  readonly value: string
  /** The endpoints of the issuer that may receive it. */
  readonly endpoints: readonly string[]
}

interface Sent extends ServedRequest {
  readonly endpoint: string
}

/** A secret in a request that must not contain it, as text after `sent`. */
function leakOf(
  { endpoint, path, query, headers, body }: Sent,
  { name, value, endpoints }: Secret,
): string[] {
  const inAddress = `${path}?${query}`.includes(value)
  if (inAddress) return [`${name} in a URL`]
  const isSent = `${JSON.stringify(headers)} ${body}`.includes(value)
  return isSent && !endpoints.includes(endpoint) ? [`${name} to ${endpoint}`] : []
}

const usedCode = JSON.stringify({ error: 'invalid_grant', error_description: 'The code was used.' })

const redirect = (status: number) => ({ status, headers: { location: 'elsewhere' } })

/** Redirects an endpoint of an issuer, or the address of its offer. */
async function redirectOffer(context: WalletContext, endpoint: 'offer' | 'metadata' | 'deferred') {
  const session = context.openIssuer({
    ...(endpoint === 'deferred' && { deferredPolls: 0 }),
    answers: { [endpoint]: () => redirect(endpoint === 'deferred' ? 307 : 302) },
  })
  const link = endpoint === 'offer' ? session.offerByReference() : session.offerByValue()
  const { reason } = await context.wallet.acceptOffer({ link })
  const elsewhere = session.requestsTo('elsewhere')
  return { requests: session.requestsTo(endpoint), elsewhere, reason }
}

/** Redirects request_uri of a verifier. */
async function redirectRequest(context: WalletContext) {
  await context.holdCredential()
  const verifier = context.openVerifier({ answers: { request: () => redirect(302) } })
  const link = verifier.requestByReference(verifier.party.did)
  const { reason } = await context.wallet.present({ link })
  const elsewhere = verifier.requestsTo('elsewhere')
  return { requests: verifier.requestsTo('request'), elsewhere, reason }
}

const offeredTypes = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']

const entry = { format: 'jwt_vc_json', types: offeredTypes }

function typesIn({ body }: Pick<IssuerRequest, 'body'>): readonly unknown[] {
  const { types } = membersIn(body) ?? {}
  return Array.isArray(types) ? types : []
}

const unsafeAddresses = [
  'javascript:alert(document.domain)',
  'file:///etc/hosts-of-the-kit',
  '/relative/address-of-the-kit',
  'https://verifier.example/a b-of-the-kit',
  77_310_955,
]
