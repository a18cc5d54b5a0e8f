import { z } from 'zod'
import { createTokenRequest } from '#core/oid4vci/token.ts'
import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import { broken, defineChecks, type Finding, held } from '../../../kit/check.ts'
import {
  asPremise,
  errorOf,
  findRefusal,
  problemsIn,
  requireAnswer,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { findEach, requireEach } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import { credentialIn, defer } from '../credentials.ts'
import {
  claimsOf,
  requestOwnOffer,
  requirePortalAnswer,
  signIn,
  smallPower,
  validBody,
} from '../portal-steps.ts'
import {
  askForCredential,
  askForToken,
  kindsOf,
  reachAnswer,
  readOffer,
  redeem,
} from '../redeeming.ts'

const zSeconds = z.int().positive()

const zToken = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7e]+$/, 'is not a valid token'),
  // RFC 6749, 5.1: the value is case insensitive.
  token_type: z.string().regex(/^bearer$/i, 'is not Bearer'),
  expires_in: zSeconds,
  c_nonce: z.string().min(1),
  c_nonce_expires_in: zSeconds,
})

/** The token response of an issuer that does not require a proof of possession. */
const zTokenWithoutNonce = zToken.omit({ c_nonce: true, c_nonce_expires_in: true })

const unknown = { kit_unknown_member: 'meaningless' }

const isJson = (contentType: string) => /^application\/([\w.+-]+\+)?json\b/i.test(contentType)

export const checks = defineChecks<IssuerContext>({
  'I09-no-store': {
    title: 'Intermediaries cannot store tokens and credentials',
    level: 'final',
    expectation: 'advice',
    clauses: ['RFC 6749, 5.1', 'OpenID4VCI 1.0, 6.2'],
    description:
      'A cache that stores a response returns the token or the credential to another client.',
    sends: 'A token request and a credential request as documented.',
    decides:
      'Both responses have Cache-Control with no-store. For the credential this is good practice: OpenID4VCI has it only in examples.',
    fix: 'Send Cache-Control: no-store with the responses of the token endpoint and the credential endpoint. Check that a proxy does not remove it.',
    async run(context) {
      const { resolved } = await readOffer(context)
      const session = await redeem(context)
      const token = await reachAnswer('the token request', askForToken(context, resolved))
      const credential = await reachAnswer(
        'the credential request',
        askForCredential(context, session),
      )
      await requireEach([token, credential], async (answer) => {
        const actual = answer.headers.get('cache-control')
        if (/\bno-store\b/i.test(actual ?? '')) return
        const { pathname } = new URL(answer.url)
        const verdictSource = `Cache-Control of ${pathname}`
        return broken(`The response of ${pathname} can be cached.`, {
          expected: 'no-store',
          actual,
          verdictSource,
          ...(answer === credential && { level: 'practice' }),
        })
      })
      return held('Both have no-store.', { verdictSource: 'Cache-Control of both responses' })
    },
  },
  'I10-token-response': {
    title: 'The documented token request returns an access token and a c_nonce',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.2',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.6',
    ],
    clauses: ['RFC 6749, 5.1'],
    description:
      'Lifetimes are numbers of seconds: a string breaks wallets that add it to the time. Without c_nonce a wallet cannot create a proof.',
    sends: 'POST /token, form-urlencoded, with grant_type and pre-authorized_code.',
    decides:
      'The response is 200 with access_token, token_type Bearer, an integer expires_in, c_nonce and an integer c_nonce_expires_in. A missing c_nonce is a WARN: it is optional if no proof is required.',
    fix: 'Return 200 and access_token, token_type Bearer, expires_in, c_nonce and c_nonce_expires_in. Send both lifetimes as integers, in seconds.',
    async run(context) {
      const { resolved } = await readOffer(context)
      const json = requireJson(await askForToken(context, resolved), 'The token request')
      const verdictSource = 'the token response'
      const hasNonce = json.c_nonce !== undefined
      const result = (hasNonce ? zToken : zTokenWithoutNonce).safeParse(json)
      if (result.success) {
        return hasNonce
          ? held('The token response is complete.', { verdictSource })
          : broken('The token response has no c_nonce, so credentials are not bound to a key.', {
              expected: Object.keys(zToken.shape),
              actual: Object.keys(json),
              verdictSource,
              level: 'practice',
            })
      }
      const names = Object.keys(json)
      return broken(`The token response is not as documented: ${problemsIn(result.error)}.`, {
        expected: Object.keys(zToken.shape),
        actual: names,
        verdictSource,
      })
    },
  },
  'I89-unknown-members': {
    title: 'Unknown parameters are ignored',
    level: 'final',
    expectation: 'accept',
    control: 'offer',
    clauses: ['RFC 6749, 3.2', 'OpenID4VCI 1.0, 8.2', 'OpenID4VCI 1.0, 9.1'],
    description: 'Wallets of a later revision send more parameters and must still be served.',
    sends:
      'A token request and a credential request as documented, each with an additional parameter. If the target supports it, also a poll for a deferred credential.',
    decides: 'Each succeeds.',
    fix: 'Ignore unknown parameters of the token request and unknown members of the credential request and the deferred credential request. Do not validate them with a schema that forbids additional members.',
    async run(context) {
      const { resolved } = await readOffer(context)
      const { preAuthorizedCode } = resolved
      const form = { ...createTokenRequest({ preAuthorizedCode }), ...unknown }
      requireAnswer(await askForToken(context, resolved, { form }), 'The token request')
      const session = await redeem(context)
      const json = {
        ...createRequestBody(session.wallet, session),
        ...unknown,
        kit_unknown_list: ['a', 'b', 'b'],
      }
      const answer = await askForCredential(context, session, { json })
      requireAnswer(answer, 'The credential request', [200, 202])
      if (kindsOf(context, ['deferred']).length > 0) {
        const { acceptanceToken, poll } = await defer(context)
        const json = { acceptance_token: acceptanceToken, ...unknown }
        requireAnswer(await poll({ json }), 'The poll', [200, 202])
      }
      return held('Each succeeded.', { verdictSource: 'HTTP status of the endpoints' })
    },
  },
  'I141-errors-as-json': {
    title: 'A rejection of a wallet is JSON with an error code',
    level: 'final',
    expectation: 'refuse',
    control: 'offer',
    clauses: ['RFC 6749, 5.2', 'OpenID4VCI 1.0, 8.3.1.2'],
    description:
      'With error a wallet knows whether to ask its holder for a new PIN, to repeat the request or to stop.',
    sends:
      'A token request with an unknown code, one without grant_type, and credential requests without a proof and with an unknown format.',
    decides:
      'Each returns 400 with Content-Type application/json and a JSON object whose member error is a non-empty string.',
    fix: 'Send every rejection of the token and credential endpoints as application/json with the member error, such as invalid_grant, and never as an HTML page of a framework.',
    async run(context) {
      const { resolved } = await readOffer(context)
      const [entry] = resolved.offered
      // Each with a new session: an accepted request may use up its access token.
      const askWith = async (json: object) =>
        askForCredential(context, await redeem(context), { json })
      const unknown = createTokenRequest({ preAuthorizedCode: 'a-code-of-no-offer' })
      const requests = {
        'The token request with an unknown code': () =>
          askForToken(context, resolved, { form: unknown }),
        'The token request without grant_type': () =>
          askForToken(context, resolved, { form: { 'pre-authorized_code': 'a-code-of-no-offer' } }),
        'The credential request without a proof': () =>
          askWith({ format: entry?.format, types: entry?.types }),
        'The credential request with an unknown format': () => askWith({ format: 'unheard_of' }),
      }
      return findEach(Object.entries(requests), async ([what, send]): Promise<Finding> => {
        const answer = await send()
        const finding = findRefusal(answer, { what, statuses: [400] })
        if (finding.kind !== 'held' || (isJson(answer.contentType) && errorOf(answer))) {
          return finding
        }
        return broken(`${what} was rejected without an error code in JSON.`, {
          expected: 'application/json with error',
          actual: [answer.contentType, answer.text.slice(0, 200)],
          verdictSource: 'the error response',
        })
      })
    },
  },
  'I142-content-types': {
    title: 'Each response has the content type of its content',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.4', '1.endpoints/credential-issuer.2'],
    clauses: ['RFC 6749, 5.1', 'OpenID4VCI 1.0, 8.3'],
    description:
      'Browsers do not show an image that says it is something else, and HTTP libraries parse JSON only if it is declared.',
    sends:
      'A token request, a credential request, and as a portal the list, the types and a request of the representative; GET /metrics.',
    decides:
      'The responses are application/json, the QR code is image/png, and the metrics are text. JSON that is declared as something else is a WARN.',
    fix: 'Send Content-Type application/json with JSON, image/png with the QR code, and text/plain or an OpenMetrics type with GET /metrics.',
    needs: ['portal'],
    async run(context) {
      const { resolved } = await readOffer(context)
      const signedIn = await signIn(context.portal())
      const { portal, headers } = signedIn
      const post = async (endpoint: Parameters<typeof validBody>[0]) =>
        requirePortalAnswer(
          await portal.post(endpoint, validBody(endpoint, portal), headers),
          `The request to /issuance/${endpoint}`,
        )
      const token = requireAnswer(await askForToken(context, resolved), 'The token request')
      const session = await redeem(context)
      const answers = [
        token,
        requireAnswer(
          await askForCredential(context, session),
          'The credential request',
          [200, 202],
        ),
        await post('credential'),
        await post('identifiers'),
      ]
      await requireEach(answers, async ({ contentType, url }) => {
        if (isJson(contentType)) return
        return broken(`The response of ${new URL(url).pathname} is not declared as JSON.`, {
          expected: 'application/json',
          actual: contentType,
          verdictSource: 'Content-Type',
          level: 'final',
        })
      })
      const { contentType: image } = await post('representative')
      if (!/^image\/png\b/i.test(image)) {
        const details = { expected: 'image/png', actual: image, verdictSource: 'Content-Type' }
        return broken('The QR code is not declared as image/png.', details)
      }
      const metrics = requireAnswer(await portal.get('/metrics'), 'GET /metrics')
      return /^(text\/plain|application\/openmetrics-text)\b/i.test(metrics.contentType)
        ? held('All are declared as what they are.', { verdictSource: 'Content-Type' })
        : broken('The metrics are not text.', {
            expected: 'text/plain',
            actual: metrics.contentType,
            verdictSource: 'Content-Type of /metrics',
          })
    },
  },
  'I178-metrics-without-secrets': {
    title: 'The metrics contain no secrets and no personal data',
    level: 'practice',
    expectation: 'advice',
    rows: ['1.endpoints/credential-issuer.2'],
    description:
      'Everyone can read the metrics. With the address of each request as a label, they contain the offers that no wallet has accepted yet.',
    sends:
      'Accepts an offer of the portal. If the target supports it, redeems two offers by reference, polls for a deferred credential and orders one for an employee. Then GET /metrics.',
    decides:
      'The response contains no address of an offer, code, access token, c_nonce, acceptance_token or credential_id, no DID of a holder, no user_identifier, and no email address of the representative or the employee.',
    fix: 'Label the metrics of HTTP requests with the pattern of the route, such as /credential-offer/:id, and requests without a route with one fixed value, never with the path. Do not use identifiers as labels.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const { portal } = signedIn
      const claims = claimsOf(signedIn)
      const made = await asPremise('requesting a credential (see I62)', requestOwnOffer(signedIn))
      const session = await redeem(context, { made })
      const issued = await reachAnswer('the credential', askForCredential(context, session))
      const deferred = context.can('deferred') ? await defer(context) : undefined
      if (deferred) await reachAnswer('a poll', deferred.poll())
      const offers = context.can('reference')
        ? [
            await redeem(context, { kind: 'reference' }),
            await redeem(context, { kind: 'reference' }),
          ]
        : []
      const [one = [], other = []] = offers.map(({ made: { link } }) => partsOfReference(link))
      const sessions = [session, ...offers, ...(deferred ? [deferred.session] : [])]
      const values = [
        ...sessions.flatMap(({ resolved, token }) => [
          resolved.preAuthorizedCode,
          token.accessToken,
          token.cNonce,
        ]),
        ...one.filter((part) => !other.includes(part)),
        deferred?.acceptanceToken,
        credentialIn(issued)?.id,
        session.wallet.account.did,
        claims.user_identifier,
        claims.email,
        portal.mailbox?.email,
      ]
      const { email } = portal.mailbox ?? {}
      if (email !== undefined) {
        const order = { email, power: smallPower(portal) }
        await reachAnswer('an order', portal.post('employee', order, signedIn.headers))
      }
      const { text } = await reachAnswer('GET /metrics', portal.get('/metrics'))
      const verdictSource = 'the response of /metrics'
      const found = values.filter(
        (value) =>
          typeof value === 'string' && value.length >= shortestSecret && text.includes(value),
      )
      return found.length === 0
        ? held('They contain none of them.', { verdictSource })
        : broken('They contain values of the requests.', { actual: found, verdictSource })
    },
  },
})

/** Shorter values may be in the metrics by chance. */
const shortestSecret = 8

/** The parts of the address of an offer by reference. */
function partsOfReference(link: string): readonly string[] {
  const address = new URL(link).searchParams.get('credential_offer_uri') ?? ''
  if (!URL.canParse(address)) return []
  const { pathname, searchParams } = new URL(address)
  return [...pathname.split('/'), ...searchParams.values()]
}
