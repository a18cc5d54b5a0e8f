import { broken, defineChecks, type Finding, held, inconclusive } from '../../../kit/check.ts'
import { findEach } from '../../../kit/find-each.ts'
import type { WalletContext } from '../context.ts'
import { membersIn } from '../counterparts/read-proof.ts'
import {
  asCase,
  casesFor,
  describeRequests,
  findRedirectNotFollowed,
  findStopped,
  observeIssuance,
  outageIn,
  takeCredential,
  type UnusualDelivery,
} from '../findings/issuance-findings.ts'

const errorAnswers = [
  { endpoint: 'credential', status: 500, body: '{"error":"internal_error"}' },
  ...['', '<h1>Bad request</h1>', 'null', '[]', '"error"', '{"error":{}}', '{"error":null}'].map(
    (body) => ({ endpoint: 'credential', status: 400, body }) as const,
  ),
  { endpoint: 'token', status: 500, body: '{"error":"internal_error"}' },
] as const

const pollErrors = [400, 404, 410].map(
  (status) => ({ endpoint: 'deferred', status, body: '{"error":"invalid_token"}' }) as const,
)

/** Seconds until W86 and W146 expect the second poll. */
const secondPollAfter = 4

/** How a wallet handles the answers of an issuer that defers or rejects. */
export const checks = defineChecks<WalletContext>({
  'W12-expired-code': {
    title: 'The wallet reports that the code has expired',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.states-and-transitions.5'],
    description:
      'Codes are valid for some minutes. A holder who scans one too late must learn why, to request a new one.',
    sends: 'A token endpoint that returns 400 invalid_grant: The pre-authorized code has expired.',
    decides:
      'The wallet must report that it did not get the credential, and mention the expiry or the error of the issuer. A rejection with another reason is a WARN: the profile does not define the text.',
    fix: 'If the token endpoint returns invalid_grant, end with an error that contains this code or the error_description, or says that the offer has expired.',
    async run(context) {
      const session = context.openIssuer({
        answers: {
          token: () => ({
            status: 400,
            body: JSON.stringify({
              error: 'invalid_grant',
              error_description: 'The pre-authorized code has expired.',
            }),
          }),
        },
      })
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      const { outcome, reason, text, source: verdictSource } = answer
      if (session.requestsTo('token').length === 0) {
        return inconclusive(`The wallet did not send the code: ${reason}`, { verdictSource })
      }
      if (outcome === 'done') {
        return broken('The wallet reported that it accepted an offer whose code has expired.', {
          verdictSource,
        })
      }
      if (outcome !== 'refused') return inconclusive(reason, { verdictSource })
      if (context.wallet.by === 'a person') {
        return inconclusive(`The kit cannot see what the wallet shows: ${reason}`, {
          verdictSource,
        })
      }
      return /expired|invalid_grant/i.test(`${reason} ${text}`)
        ? held(`The wallet reported the reason: ${reason}`, { verdictSource })
        : broken(`The wallet did not report that the code has expired: ${reason}`, {
            verdictSource,
            level: 'practice',
          })
    },
  },
  'W13-retry-after-invalid-nonce': {
    title: 'After invalid_nonce the wallet retries with the new c_nonce',
    level: 'practice',
    expectation: 'accept',
    control: 'offers',
    description:
      'A c_nonce may expire while the holder looks for the PIN. The rejection contains a new one; a wallet that gives up loses the code. In OpenID4VCI 1.0 wallets fetch it from a nonce endpoint (8.3.1.2), which the profile does not have.',
    sends:
      'A credential endpoint that rejects the first proof with invalid_nonce and a new c_nonce, which differs from the old one only in upper and lower case.',
    decides: 'The wallet must send a second proof, and the kit must deliver the credential.',
    fix: 'After invalid_nonce, read c_nonce from the error response, sign a new proof with it, and send the credential request again.',
    async run(context) {
      const { session } = await takeCredential(context, { behaviour: { refusedNonces: 1 } })
      return held(`The wallet sent ${session.proofs.length} proofs and got the credential.`, {
        verdictSource: 'credential requests',
      })
    },
  },
  'W146-deferred-endpoint-busy': {
    title: 'A busy deferred endpoint is polled again',
    level: 'practice',
    expectation: 'accept',
    control: 'offers',
    description:
      'An overloaded issuer returns 429 or 503. The credential is not lost: a wallet that gives up then loses it.',
    sends:
      'A credential endpoint that defers. The first poll is answered with 503 and Retry-After: 1, the second with 429, the third with the credential.',
    decides:
      'The wallet must poll until the kit delivers the credential. The second poll must come at least 0.9 seconds after the first.',
    fix: 'Treat 429 and 503 of the deferred endpoint like 202: wait, at least as long as Retry-After says, and poll again.',
    async run(context) {
      const session = context.openIssuer({
        deferredPolls: 0,
        answers: {
          deferred: (usual, nth) =>
            nth === 1
              ? { status: 503, headers: { 'retry-after': '1' }, body: '{"error":"busy"}' }
              : nth === 2
                ? { status: 429, body: '{"error":"slow_down"}' }
                : usual,
        },
      })
      const { outcome, reason } = await context.wallet.acceptOffer({ link: session.offerByValue() })
      context.noteChanged()
      const polls = session.requestsTo('deferred')
      const [first, second] = polls
      const details = { verdictSource: 'polls of the deferred endpoint' }
      if (!first) return inconclusive(`The wallet did not poll: ${reason}`)
      const isPatient = (context.deferralPatienceSeconds ?? secondPollAfter) >= secondPollAfter
      if (!second && !isPatient) {
        return inconclusive('The wallet gave up before the second poll.', details)
      }
      if (!second) return broken(`The wallet gave up after the first poll: ${reason}`, details)
      const waited = (second.at - first.at) / 1000
      const pauses = `The second poll came ${waited.toFixed(1)} seconds after the first.`
      if (waited < 0.9) return broken(pauses, details)
      if (polls.length < 3) return broken(`The wallet gave up after 429: ${reason}`, details)
      return outcome === 'done'
        ? held(`${pauses} The wallet got the credential.`, details)
        : inconclusive(reason, details)
    },
  },
  'W15-deferred-issuance': {
    title: 'The wallet polls until a deferred credential is ready',
    level: 'spec',
    expectation: 'accept',
    control: 'offers',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.4',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.11',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.13',
      '1.states-and-transitions.8',
      '1.states-and-transitions.9',
    ],
    description:
      'A credential that requires approval is issued later. The status 202 means not yet; it is not an error.',
    sends:
      'A credential endpoint that defers, then three polls answered with 202, then the credential. Then another one whose 202 has no body: the profile does not require one.',
    decides: 'The wallet must poll until the kit delivers the credential, and report it.',
    fix: 'If the credential response has acceptance_token, poll the deferred endpoint. Continue after 202, even if it has no body, and store the credential after 200.',
    async run(context) {
      return findEach(
        [
          { what: 'after three polls', behaviour: { deferredPolls: 3 } },
          {
            what: 'after a 202 without a body',
            behaviour: {
              deferredPolls: 1,
              answers: {
                deferred: (usual) => (usual.status === 202 ? { status: 202, body: '' } : usual),
              },
            },
          },
        ] satisfies UnusualDelivery[],
        ({ what, behaviour }) =>
          asCase(
            `A credential ${what}`,
            takeCredential(context, { behaviour }).then(({ session }) => {
              const polls = session.requestsTo('deferred').length
              return held(`The wallet polled ${polls} times and got it.`, {
                verdictSource: 'polls of the deferred endpoint',
              })
            }),
          ),
      )
    },
  },
  'W16-deferred-forever': {
    title: 'The wallet stops waiting for a credential that is never issued',
    level: 'practice',
    expectation: 'advice',
    description:
      'A wallet that polls without end drains the battery, and its holder never learns that the issuance failed.',
    sends: 'A credential endpoint that defers, and answers every poll with 202.',
    decides:
      'The verb must end on its own within the deferralPatienceSeconds of the target, must not report success, and must not poll more than twenty times a second.',
    fix: 'Wait between two polls, and limit their number or their total time. Then stop and report that the credential is not ready.',
    needs: ['deferral-patience'],
    async run(context) {
      const { deferralPatienceSeconds: patience = 0 } = context
      const session = context.openIssuer({ deferredPolls: Number.POSITIVE_INFINITY })
      const began = performance.now()
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      const waited = (performance.now() - began) / 1000
      const { outcome, reason, source: verdictSource } = answer
      const polls = session.requestsTo('deferred').length
      if (polls === 0) return inconclusive(`The wallet did not poll: ${reason}`, { verdictSource })
      if (polls > 20 && polls / waited > 20) {
        return broken(`The wallet polled ${polls} times in ${waited.toFixed(1)} seconds.`, {
          verdictSource: 'polls of the deferred endpoint',
        })
      }
      if (outcome === 'timed-out' && waited < patience) {
        const limit = `The kit waited ${waited.toFixed(0)} of the ${patience} seconds that the wallet may need`
        return inconclusive(`${limit}. Increase timeoutSeconds of the adapter.`, { verdictSource })
      }
      return findStopped(answer, `after ${polls} polls answered with 202`)
    },
  },
  'W56-no-c-nonce': {
    title: 'A token response without c_nonce leads to a credential request',
    level: 'spec',
    expectation: 'accept',
    control: 'offers',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.6'],
    clauses: ['OpenID4VCI 1.0, F.1'],
    description: 'c_nonce is optional: an issuer sends it if it requires proof of possession.',
    sends: 'A token response with only access_token, token_type and expires_in.',
    decides:
      'The wallet must request the credential and report it. A nonce in the proof, such as null or an empty string, is a WARN.',
    fix: 'Treat c_nonce in the token response as optional. Without it, send the credential request anyway, and omit nonce from the proof.',
    async run(context) {
      const { session, answer } = await takeCredential(context, {
        behaviour: { token: { c_nonce: undefined, c_nonce_expires_in: undefined } },
      })
      const [proof] = session.proofs
      if (proof && 'nonce' in proof.payload) {
        return broken('The proof contains a nonce, although the issuer did not send one.', {
          level: 'final',
          verdictSource: 'credential request',
          expected: 'no nonce',
          actual: proof.payload.nonce,
        })
      }
      return held(`The wallet continued without a c_nonce: ${describeRequests(session)}`, {
        verdictSource: answer.source,
      })
    },
  },
  'W57-unusual-token-response': {
    title: 'An unusual but valid token response is accepted',
    level: 'final',
    expectation: 'accept',
    control: 'offers',
    clauses: ['RFC 6749, 5.1'],
    description:
      'token_type is case-insensitive, expires_in is optional, and unknown members must be ignored.',
    sends: 'A token response with token_type bearer, no expires_in, a scope and an unknown member.',
    decides: 'The wallet must request the credential and report it.',
    fix: 'Compare token_type with Bearer regardless of case, treat expires_in as optional, and ignore unknown members of the token response.',
    async run(context) {
      const { session, answer } = await takeCredential(context, {
        behaviour: {
          token: { token_type: 'bearer', expires_in: undefined, scope: 'openid', x_unknown: [{}] },
        },
      })
      return held(`The wallet accepted the unusual token response: ${describeRequests(session)}`, {
        verdictSource: answer.source,
      })
    },
  },
  'W61-token-redirect': {
    title: 'A redirect of the token endpoint is not followed',
    level: 'practice',
    expectation: 'refuse',
    description:
      'A redirect would send the code and the PIN to any address that the response names.',
    sends: 'A token endpoint that returns 307 with another address.',
    decides: 'The other address must not receive a request.',
    fix: 'Turn off redirects in the HTTP client for the token request, and treat a 3xx as an error.',
    run: (context) => findRedirectNotFollowed(context, 'token'),
  },
  'W62-credential-redirect': {
    title: 'A redirect of the credential endpoint is not followed',
    level: 'practice',
    expectation: 'refuse',
    description:
      'A redirect would send the access token and the proof to any address that the response names.',
    sends: 'A credential endpoint that returns 307 with another address.',
    decides: 'The other address must not receive a request.',
    fix: 'Turn off redirects in the HTTP client for the credential request, and treat a 3xx as an error.',
    run: (context) => findRedirectNotFollowed(context, 'credential'),
  },
  'W82-wrong-pin': {
    title: 'The wallet reports a rejected PIN and stops',
    level: 'practice',
    expectation: 'advice',
    description:
      'Issuers invalidate an offer after a few wrong PINs. A wallet that repeats the rejected PIN wastes the attempts.',
    sends: 'A token endpoint that answers every PIN with invalid_grant.',
    decides:
      'The wallet must send at most three token requests, none with the PIN of the one before, and must not report success.',
    fix: 'After invalid_grant, do not repeat the same PIN. Ask the holder again, at most three times in total, then report that the PIN was rejected.',
    async run(context) {
      const session = context.openIssuer({
        pin: '4935',
        answers: {
          token: () => ({
            status: 400,
            body: JSON.stringify({
              error: 'invalid_grant',
              error_description: 'The PIN is wrong.',
            }),
          }),
        },
      })
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue(), pin: '4935' })
      const requests = session.requestsTo('token')
      const tries = requests.length
      const { reason, source: verdictSource } = answer
      if (tries === 0) {
        return inconclusive(`The wallet sent no token request: ${reason}`, { verdictSource })
      }
      const pins = requests.map(({ body }) => new URLSearchParams(body).get('tx_code'))
      const isRepeated = pins.some((pin, index) => index > 0 && pin === pins[index - 1])
      // A person may enter the same PIN again.
      if (tries > 3 || (isRepeated && context.wallet.by !== 'a person')) {
        return broken(`The wallet sent the rejected PIN ${tries} times.`, {
          verdictSource: 'token requests',
          expected: isRepeated ? 1 : 3,
          actual: tries,
        })
      }
      return findStopped(answer, `after ${tries} rejected token requests`)
    },
  },
  'W83-credential-endpoint-error': {
    title: 'The wallet reports an error of the issuer',
    level: 'practice',
    expectation: 'advice',
    description:
      'The holder must learn that the issuance failed, and not look for a mandate that does not exist.',
    sends:
      'Credential endpoints that return 500, and 400 with an empty body, an HTML page, null, a list, a string, and an error that is not a string, and a token endpoint that returns 500. Then issuers that defer the credential, and answer each poll with 400, 404 or 410.',
    decides:
      'The verb must end on its own, after at most three polls or five other requests that failed, and must not report success.',
    fix: 'Treat a 4xx or 5xx of the token or credential endpoint, and a 4xx of the deferred endpoint except for 429 and issuance_pending, as a failed issuance: stop, show an error, and do not report success.',
    control: 'offers',
    timeLimitMilliseconds: 300_000,
    run: (context) =>
      findEach(casesFor(context, [...errorAnswers, ...pollErrors]), async (error) => {
        const { endpoint, status, body } = error
        const session = context.openIssuer({
          ...(endpoint === 'deferred' && { deferredPolls: 0 }),
          answers: { [endpoint]: () => ({ status, body }) },
        })
        const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
        const requests = session.requestsTo(endpoint).length
        const { reason, source: verdictSource } = answer
        if (requests === 0 && endpoint === 'deferred') {
          return held('The wallet did not poll while the verb ran: see W15.', { verdictSource })
        }
        if (requests === 0) {
          return inconclusive(`The wallet sent no ${endpoint} request: ${reason}`, {
            verdictSource,
          })
        }
        const most = endpoint === 'deferred' ? 3 : 5
        if (requests > most) {
          return broken(`The wallet sent ${requests} ${endpoint} requests despite a ${status}.`, {
            verdictSource: `requests to the ${endpoint} endpoint`,
            expected: most,
            actual: requests,
          })
        }
        const stopped = findStopped(
          answer,
          `after ${requests} ${endpoint} requests answered with ${status} ${body}`,
        )
        // A wallet may pass on the failure of the issuer as its own.
        return stopped.kind === 'inconclusive' && status !== 500
          ? { ...stopped, ...outageIn(context, session, { answer }) }
          : stopped
      }),
  },
  'W84-nonces-refused-forever': {
    title: 'The wallet gives up if every nonce is rejected',
    level: 'practice',
    expectation: 'advice',
    description:
      'An issuer may reject every nonce because of a wrong clock or a cache. A wallet that always retries floods it.',
    sends:
      'A credential endpoint that rejects every proof with invalid_nonce and a new c_nonce, then with a c_nonce that is missing, null, empty or a number, and an endpoint that returns credential_request_denied with a new c_nonce.',
    decides:
      'The wallet must send at most five credential requests, and only one after credential_request_denied. It must not report success, and no proof may contain a nonce that the issuer did not send.',
    fix: 'Count the credential requests that end with invalid_nonce. After five at most, or if c_nonce is not a non-empty string, stop and report that the issuance failed. Do not repeat a request after credential_request_denied.',
    async run(context) {
      const session = context.openIssuer({
        refusedNonces: Number.POSITIVE_INFINITY,
        answers: { credential: (usual, nth) => (nth > 50 ? { status: 429 } : usual) },
      })
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      const requests = session.requestsTo('credential').length
      const { reason, source: verdictSource } = answer
      if (requests === 0) {
        return inconclusive(`The wallet sent no credential request: ${reason}`, { verdictSource })
      }
      if (requests > 5) {
        return broken(`The wallet sent ${requests} credential requests in a row.`, {
          verdictSource: 'credential requests',
          expected: 5,
          actual: requests,
        })
      }
      const stopped = findStopped(answer, `after ${requests} rejected proofs`)
      if (stopped.kind !== 'held') return stopped
      return findEach([undefined, null, '', 7, 'denied'], (nonce) =>
        nonce === 'denied' ? findDenialAccepted(context) : findNoNonceInvented(context, nonce),
      )
    },
  },
  'W85-acceptance-token-renewed': {
    title: 'The wallet polls with the newest acceptance_token',
    level: 'practice',
    expectation: 'accept',
    description: 'An issuer may send a new token with each 202. The old one is then invalid.',
    sends:
      'A credential endpoint that defers, and polls answered with 202 and a new acceptance_token each.',
    decides: 'Each poll must contain the newest token.',
    fix: 'Store the acceptance_token of each 202 response instead of the previous one, and send it in the next poll.',
    async run(context) {
      const session = context.openIssuer({
        deferredPolls: 2,
        pending: (nth) => ({ acceptance_token: `acceptance-${nth}` }),
      })
      const { reason } = await context.wallet.acceptOffer({ link: session.offerByValue() })
      const tokens = session
        .requestsTo('deferred')
        .map(({ body }) => membersIn(body)?.acceptance_token)
      const verdictSource = 'polls of the deferred endpoint'
      if (tokens.length < 2) return inconclusive(`The wallet did not poll twice: ${reason}`)
      const stale = tokens.findIndex((token, index) => token !== `acceptance-${index}`)
      return stale === -1
        ? held('Each poll contained the newest acceptance_token.', { verdictSource })
        : broken(`Poll ${stale + 1} does not contain the newest acceptance_token.`, {
            verdictSource,
            expected: `acceptance-${stale}`,
            actual: tokens[stale],
          })
    },
  },
  'W86-interval-kept': {
    title: 'The wallet respects the polling interval of the issuer',
    level: 'final',
    expectation: 'advice',
    clauses: ['OpenID4VCI 1.0, 8.3'],
    description: 'interval is the minimum time between polls. An issuer may reject earlier polls.',
    sends:
      'A credential endpoint that defers with interval 1, and a first poll answered with 202, interval 2 and Retry-After: soon, which is not valid.',
    decides:
      'The first poll must come at least 0.9 seconds after the response that defers, the second at least 1.9 seconds after the first.',
    fix: 'Read interval from each response that defers the credential, and wait at least that number of seconds before the next poll. Ignore a Retry-After that is neither a number of seconds nor a date.',
    async run(context) {
      // The first poll decides for a wallet that gives up before the second one.
      const isPatient = (context.deferralPatienceSeconds ?? secondPollAfter) >= secondPollAfter
      const { session } = await observeIssuance(context, 'deferred', {
        deferredPolls: isPatient ? 1 : 0,
        deferral: { interval: 1 },
        pending: (nth) => ({ acceptance_token: `acceptance-${nth}`, interval: 2 }),
        answers: {
          deferred: (usual) =>
            usual.status === 202 ? { ...usual, headers: { 'retry-after': 'soon' } } : usual,
        },
      })
      const [request] = session.requestsTo('credential')
      const polls = session.requestsTo('deferred')
      const waited = polls.map(({ at }, index) => {
        const before = index === 0 ? request : polls[index - 1]
        return (at - (before?.at ?? 0)) / 1000
      })
      const intervals = isPatient ? 'intervals are 1 and 2 seconds' : 'interval is 1 second'
      const pauses = `The wallet waited ${waited.map((each) => each.toFixed(1)).join(' and ')} seconds; the ${intervals}.`
      const details = { verdictSource: 'polls of the deferred endpoint' }
      if (waited.some((each, index) => each < index + 0.9)) return broken(pauses, details)
      return waited.length > 1 || !isPatient
        ? held(pauses, details)
        : inconclusive('The wallet polled only once.', details)
    },
  },
})

/** Without a usable nonce in the rejection, a wallet knows only that of the token response. */
async function findNoNonceInvented(context: WalletContext, c_nonce: unknown): Promise<Finding> {
  const body = JSON.stringify({ error: 'invalid_nonce', c_nonce })
  const session = context.openIssuer({ answers: { credential: () => ({ status: 400, body }) } })
  const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
  const details = { verdictSource: 'credential requests' }
  const nonces = session.proofs.map(({ payload }) => payload.nonce)
  const invented = nonces.find((nonce) => nonce !== undefined && nonce !== session.cNonce)
  if (invented !== undefined) {
    const rejection = `a rejection whose c_nonce is ${JSON.stringify(c_nonce) ?? 'missing'}`
    return broken(`The wallet signed the nonce ${JSON.stringify(invented)} after ${rejection}.`, {
      ...details,
      expected: 'a nonce of the issuer',
      actual: invented,
    })
  }
  if (nonces.length > 5) {
    const reason = `The wallet sent ${nonces.length} credential requests in a row.`
    return broken(reason, { ...details, expected: 5, actual: nonces.length })
  }
  return findStopped(answer, `after ${nonces.length} rejected proofs without a new nonce`)
}

/** After a final rejection, a new nonce is not a reason to ask again. */
async function findDenialAccepted(context: WalletContext): Promise<Finding> {
  const body = { error: 'credential_request_denied', c_nonce: 'a-new-nonce' }
  const session = context.openIssuer({
    answers: { credential: () => ({ status: 400, body: JSON.stringify(body) }) },
  })
  const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
  const { length: requests } = session.requestsTo('credential')
  if (requests <= 1) return findStopped(answer, 'after its rejected proofs and a final rejection')
  return broken(`The wallet sent ${requests} credential requests after a final rejection.`, {
    verdictSource: 'credential requests',
    expected: 1,
    actual: requests,
  })
}
