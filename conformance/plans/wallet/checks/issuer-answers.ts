import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { membersIn } from '../counterparts/read-proof.ts'
import {
  findRedirectNotFollowed,
  findStopped,
  observeIssuance,
  takeCredential,
  tellRequests,
} from '../findings/issuance-findings.ts'

/** What a wallet does about the answers of an issuer that is not ready, or says no. */
export const checks = defineChecks<WalletContext>({
  'W12-expired-code': {
    title: 'That the code has expired is shown',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.states-and-transitions.5'],
    description:
      'Codes live for some minutes. Whoever scans too late has to be told why, so that they ask for a new one.',
    sends: 'A token endpoint that answers 400 invalid_grant: The pre-authorized code has expired.',
    decides:
      'The wallet says that it did not get the credential, and says of expiry, or the error of the issuer. That it is refused in other words is a WARN: the profile does not fix them.',
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
        return inconclusive(`The wallet never sent the code: ${reason}`, { verdictSource })
      }
      if (outcome === 'done') {
        return broken('The wallet said that it had accepted an offer whose code has expired.', {
          verdictSource,
        })
      }
      if (outcome !== 'refused') return inconclusive(reason, { verdictSource })
      if (context.wallet.by === 'a person') {
        return inconclusive(`What the wallet shows, the kit can't see: ${reason}`, {
          verdictSource,
        })
      }
      return /expired|invalid_grant/i.test(`${reason} ${text}`)
        ? held(`The wallet said why: ${reason}`, { verdictSource })
        : broken(`The wallet did not say that the code has expired: ${reason}`, {
            verdictSource,
            level: 'practice',
          })
    },
  },
  'W13-retry-after-invalid-nonce': {
    title: 'After invalid_nonce the wallet tries again with the fresh c_nonce',
    level: 'practice',
    expectation: 'accept',
    control: 'offers',
    description:
      'A c_nonce expires while the holder looks for the PIN. The issuer hands out a fresh one with its refusal; giving up then uses up the code. OpenID4VCI 1.0 has wallets fetch it at a nonce endpoint (8.3.1.2), which the profile does not have.',
    sends:
      'A credential endpoint that refuses the first proof with invalid_nonce and a fresh c_nonce.',
    decides: 'The wallet sends a second proof, and the credential is handed out.',
    async run(context) {
      const { session } = await takeCredential(context, { behaviour: { refusedNonces: 1 } })
      return held(`The wallet sent ${session.proofs.length} proofs and got the credential.`, {
        verdictSource: 'credential requests',
      })
    },
  },
  'W15-deferred-issuance': {
    title: 'A deferred credential is polled for until it is there',
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
      'Where somebody has to approve, the credential comes later: 202 means not yet, and is no error.',
    sends:
      'A credential endpoint that defers, then three polls that are answered 202, then the credential.',
    decides: 'The wallet polls until the credential is handed out, and says that it has it.',
    async run(context) {
      const { session } = await takeCredential(context, { behaviour: { deferredPolls: 3 } })
      return held(`The wallet polled ${session.requestsTo('deferred').length} times and got it.`, {
        verdictSource: 'polls of the deferred endpoint',
      })
    },
  },
  'W16-deferred-forever': {
    title: 'A wallet stops waiting for a credential that never comes',
    level: 'practice',
    expectation: 'advice',
    description:
      'A wallet that polls without end empties a battery, and its holder never hears that nothing will come.',
    sends: 'A credential endpoint that defers, and polls that are answered 202 whenever they come.',
    decides:
      'The verb ends by itself within deferralPatienceSeconds of the target, and does not say that it was done.',
    needs: ['deferral-patience'],
    async run(context) {
      const { deferralPatienceSeconds: patience = 0 } = context
      const session = context.openIssuer({ deferredPolls: Number.POSITIVE_INFINITY })
      const began = performance.now()
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      const waited = (performance.now() - began) / 1000
      const { outcome, reason, source: verdictSource } = answer
      const polls = session.requestsTo('deferred').length
      if (polls === 0) return inconclusive(`The wallet never polled: ${reason}`, { verdictSource })
      if (outcome === 'timed-out' && waited < patience) {
        const told = `The kit waited ${waited.toFixed(0)} of the ${patience} seconds that the wallet may take`
        return inconclusive(`${told}; give the adapter a longer timeoutSeconds.`, { verdictSource })
      }
      return findStopped(answer, `after ${polls} polls that were answered 202`)
    },
  },
  'W56-no-c-nonce': {
    title: 'A token response without c_nonce leads to a credential request',
    level: 'spec',
    expectation: 'accept',
    control: 'offers',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.6'],
    description: 'c_nonce is optional: it is there where the issuer demands proof of possession.',
    sends: 'A token response with access_token, token_type and expires_in alone.',
    decides: 'The wallet asks for the credential and says that it has it.',
    async run(context) {
      const { session, answer } = await takeCredential(context, {
        behaviour: { token: { c_nonce: undefined, c_nonce_expires_in: undefined } },
      })
      return held(`The wallet went on without a c_nonce: ${tellRequests(session)}`, {
        verdictSource: answer.source,
      })
    },
  },
  'W57-unusual-token-response': {
    title: 'A token response that is unusual but right is taken',
    level: 'final',
    expectation: 'accept',
    control: 'offers',
    clauses: ['RFC 6749, 5.1'],
    description:
      'token_type does not depend on capitals, expires_in may be missing, and members that are not known are passed over.',
    sends: 'A token response with token_type bearer, no expires_in, a scope and an unknown member.',
    decides: 'The wallet asks for the credential and says that it has it.',
    async run(context) {
      const { session, answer } = await takeCredential(context, {
        behaviour: {
          token: { token_type: 'bearer', expires_in: undefined, scope: 'openid', x_unknown: [{}] },
        },
      })
      return held(`The wallet took the unusual token response: ${tellRequests(session)}`, {
        verdictSource: answer.source,
      })
    },
  },
  'W61-token-redirect': {
    title: 'A redirect of the token endpoint is not followed',
    level: 'practice',
    expectation: 'refuse',
    description: 'A redirect hands the code and the PIN to whoever the answer names.',
    sends: 'A token endpoint that answers 307 with another address.',
    decides: 'Nothing arrives at the other address.',
    run: (context) => findRedirectNotFollowed(context, 'token'),
  },
  'W62-credential-redirect': {
    title: 'A redirect of the credential endpoint is not followed',
    level: 'practice',
    expectation: 'refuse',
    description: 'A redirect hands the access token and the proof to whoever the answer names.',
    sends: 'A credential endpoint that answers 307 with another address.',
    decides: 'Nothing arrives at the other address.',
    run: (context) => findRedirectNotFollowed(context, 'credential'),
  },
  'W82-wrong-pin': {
    title: 'A refused PIN is told, and not tried for ever',
    level: 'practice',
    expectation: 'advice',
    description:
      'Issuers end an offer after some wrong PINs. A wallet that repeats the refused one uses the tries up.',
    sends: 'A token endpoint that answers every PIN with invalid_grant.',
    decides: 'At most three token requests; the wallet does not say that it was done.',
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
      const tries = session.requestsTo('token').length
      const { reason, source: verdictSource } = answer
      if (tries === 0) {
        return inconclusive(`The wallet sent no token request: ${reason}`, { verdictSource })
      }
      if (tries > 3) {
        return broken(`The wallet sent the refused PIN ${tries} times.`, {
          verdictSource: 'token requests',
          expected: 3,
          actual: tries,
        })
      }
      return findStopped(answer, `after ${tries} refused token requests`)
    },
  },
  'W83-credential-endpoint-error': {
    title: 'That the issuer failed is told, and not taken for a credential',
    level: 'practice',
    expectation: 'advice',
    description:
      'The holder has to know that nothing came, or looks for a mandate that is not there.',
    sends: 'A credential endpoint that answers 500.',
    decides: 'The verb ends by itself and does not say that it was done.',
    async run(context) {
      const session = context.openIssuer({
        answers: { credential: () => ({ status: 500, body: '{"error":"internal_error"}' }) },
      })
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      const requests = session.requestsTo('credential').length
      const { reason, source: verdictSource } = answer
      if (requests === 0) {
        return inconclusive(`The wallet sent no credential request: ${reason}`, { verdictSource })
      }
      return findStopped(answer, `after ${requests} credential requests that were answered 500`)
    },
  },
  'W84-nonces-refused-forever': {
    title: 'A wallet whose nonces are always refused gives up',
    level: 'practice',
    expectation: 'advice',
    description:
      'An issuer whose nonces never fit, by a clock or a cache, is flooded by a wallet that always tries again.',
    sends: 'A credential endpoint that refuses every proof with invalid_nonce and a fresh c_nonce.',
    decides: 'At most five credential requests; the wallet does not say that it was done.',
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
      return findStopped(answer, `after ${requests} refused proofs`)
    },
  },
  'W85-acceptance-token-renewed': {
    title: 'A new acceptance_token of a 202 is used from then on',
    level: 'practice',
    expectation: 'accept',
    description:
      'An issuer may hand out another token with each answer that defers; the used one is worth nothing then.',
    sends:
      'A credential endpoint that defers, and polls that are answered 202 with a new acceptance_token each.',
    decides: 'Each poll carries the newest token.',
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
        ? held('Each poll carried the newest acceptance_token.', { verdictSource })
        : broken(`Poll ${stale + 1} does not carry the newest acceptance_token.`, {
            verdictSource,
            expected: `acceptance-${stale}`,
            actual: tokens[stale],
          })
    },
  },
  'W86-interval-kept': {
    title: 'A wallet polls no sooner than the issuer asks for',
    level: 'final',
    expectation: 'advice',
    clauses: ['OpenID4VCI 1.0, 8.3'],
    description:
      'interval says how long to wait between polls; who asks sooner is refused for it, or is a load.',
    sends: 'A credential endpoint that defers with interval 1.',
    decides: 'The first poll comes at least 0.9 seconds after the answer that deferred.',
    async run(context) {
      const { session, request: poll } = await observeIssuance(context, 'deferred', {
        deferredPolls: 0,
        deferral: { interval: 1 },
      })
      const [request] = session.requestsTo('credential')
      const waited = (poll.at - (request?.at ?? 0)) / 1000
      const told = `The wallet waited ${waited.toFixed(1)} seconds, where 1 was asked for.`
      const verdictSource = 'first poll of the deferred endpoint'
      return waited >= 0.9 ? held(told, { verdictSource }) : broken(told, { verdictSource })
    },
  },
})
