import { z } from 'zod'
import { zImmediateCredentialResponse } from '#core/oid4vci/credential-response.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import {
  classifyStatus,
  errorOf,
  findRefusal,
  problemsIn,
  requireAnswer,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { convertibleTypes, similarTexts, valuesOf, withOther } from '../../../kit/near-misses.ts'
import type { IssuerContext } from '../context.ts'
import { defer } from '../credentials.ts'
import { askForCredential, reachAnswer, redeem } from '../redeeming.ts'

const zDeferred = z.looseObject({
  acceptance_token: z.string().min(1),
  c_nonce: z.string().min(1),
  c_nonce_expires_in: z.int().positive(),
})

/** The issuer may record the delivery after it has sent the answer. */
const mostPolls = 20

const polls = 5

/** What an issuer may return to a client that polls too often. */
const patience = ['slow_down', 'issuance_pending']

/** RFC 9110, 10.2.3: seconds or a date. */
const isDelay = (text: string, most: number): boolean =>
  /^\d+$/.test(text) ? Number(text) <= most : !Number.isNaN(Date.parse(text))

export const checks = defineChecks<IssuerContext>({
  'I67-deferred-response': {
    title: 'If a credential is not ready, the response contains an acceptance_token',
    level: 'spec',
    expectation: 'accept',
    control: 'offer',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.11'],
    clauses: ['OpenID4VCI 1.0, 8.3'],
    description: 'With the acceptance_token a wallet asks again; without it the offer is lost.',
    sends: 'The credential request as documented, for an offer with a deferred credential.',
    decides:
      'The credential endpoint returns 200 or 202 with acceptance_token, c_nonce and an integer c_nonce_expires_in. A credential instead is a WARN, since the verb may be wrong.',
    fix: 'If the credential is not ready, return 202 with acceptance_token, c_nonce and c_nonce_expires_in (integer, in seconds).',
    needs: ['deferred'],
    async run(context) {
      const made = await context.createOffer('deferred')
      const session = await redeem(context, { made })
      const answer = await askForCredential(context, session)
      const json = requireJson(answer, 'The credential request', [200, 202])
      const verdictSource = 'the response of the credential endpoint'
      if ('credential' in json) {
        const details = { expected: 'acceptance_token', level: 'practice', verdictSource } as const
        const problem = 'The credential of create-deferred-offer was available immediately'
        return broken(`${problem}. Without deferred credentials, leave the verb out.`, details)
      }
      const result = zDeferred.safeParse(json)
      if (result.success) return held('The response is as documented.', { verdictSource })
      return broken(`The deferred response is not as documented: ${problemsIn(result.error)}.`, {
        expected: Object.keys(zDeferred.shape),
        actual: Object.keys(json),
        verdictSource,
      })
    },
  },
  'I68-deferred-delivery': {
    title: 'Polling returns 202 until the credential is ready, then 200 with the credential',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.13',
      '1.states-and-transitions.8',
      '1.states-and-transitions.9',
    ],
    description: 'Only the status shows a wallet whether to continue waiting.',
    sends: 'POST /deferred_credential immediately, and again when the credential must be ready.',
    decides:
      'The first response is 202, the second 200 with format and credential. A Retry-After that is not a date and longer than deferredSeconds is a WARN.',
    fix: 'Respond to polls with 202 until the credential is ready, then with 200 and the members format and credential. deferredSeconds in the target file must not be shorter than the deferral.',
    needs: ['deferred'],
    timeLimitMilliseconds: 660_000,
    async run(context) {
      const { deferredSeconds } = context
      const deferred = await defer(context)
      const waiting = requireAnswer(await deferred.poll(), 'The poll before it is ready', [202])
      const retryAfter = waiting.headers.get('retry-after')
      if (retryAfter !== null && !isDelay(retryAfter, deferredSeconds)) {
        return broken('Retry-After is not the time until the credential is ready.', {
          expected: `at most ${deferredSeconds} seconds, or a date`,
          actual: retryAfter,
          verdictSource: 'Retry-After of the deferred endpoint',
          level: 'practice',
        })
      }
      await context.letPass(deferredSeconds + 1)
      const answer = await deferred.poll()
      const json = requireJson(answer, `The poll after ${deferredSeconds + 1} seconds`)
      const result = zImmediateCredentialResponse.safeParse(json)
      const verdictSource = 'the responses of the deferred endpoint'
      return result.success
        ? held('202, then the credential.', { verdictSource })
        : broken('The response does not have the form of the credential endpoint.', {
            expected: ['format', 'credential'],
            actual: Object.keys(json),
            verdictSource,
          })
    },
  },
  'I69-unknown-acceptance-token': {
    title: 'An unknown acceptance_token is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12'],
    clauses: ['OpenID4VCI 1.0, 9.3'],
    description:
      'Without an error a wallet waits indefinitely for a credential that will never exist.',
    sends: 'POST /deferred_credential with a made-up token, and without a token.',
    decides: 'Each returns 4xx, while the valid token returns 202 or 200.',
    fix: 'Look up acceptance_token of the poll. If it is unknown or missing, return a 4xx, such as 400, instead of 202.',
    needs: ['deferred'],
    async run(context) {
      const deferred = await defer(context)
      const unknown = { acceptance_token: 'no-acceptance-token-0123456789' }
      const bodies = { 'An unknown acceptance_token': unknown, 'A missing acceptance_token': {} }
      const finding = await findEach(Object.entries(bodies), async ([what, json]) =>
        findRefusal(await deferred.poll({ json }), { what }),
      )
      if (finding.kind !== 'held') return finding
      await reachAnswer('polling with the valid token', deferred.poll())
      return finding
    },
  },
  'I70-after-delivery': {
    title: 'After the delivery the acceptance_token is invalid',
    level: 'final',
    expectation: 'refuse',
    control: 'offer',
    clauses: ['OpenID4VCI 1.0, 9.1', 'OpenID4VCI 1.0, 9.3'],
    description: 'Otherwise an attacker who finds it in a log later could get the credential.',
    sends: `POST /deferred_credential until the credential is delivered, and up to ${mostPolls} times after that.`,
    decides: 'One of these returns 4xx.',
    fix: 'Invalidate acceptance_token when the credential is delivered, and reject later polls with a 4xx, such as 400.',
    needs: ['deferred'],
    timeLimitMilliseconds: 660_000,
    async run(context) {
      const deferred = await defer(context)
      await context.letPass(context.deferredSeconds + 1)
      let answer = await reachAnswer('the delivery', deferred.poll())
      for (let round = 0; round < mostPolls; round++) {
        if (classifyStatus(answer.status) !== 'accepted') break
        answer = await deferred.poll()
      }
      return findRefusal(answer, { what: 'The poll after the delivery' })
    },
  },
  'I71-other-bearer': {
    title: 'An acceptance_token with the access token of another session is rejected',
    level: 'final',
    expectation: 'refuse',
    control: 'offer',
    clauses: ['OpenID4VCI 1.0, 9', 'OpenID4VCI 1.0, 9.3'],
    description:
      'The access token identifies the client: a different token means a different client.',
    sends:
      'POST /deferred_credential with the valid access token of another session, and with its own one in another scheme, twice or changed.',
    decides:
      'Each returns 4xx, while with its own access token it returns 202 or 200. Accepting its own one in another form is a WARN of good practice.',
    fix: 'Store each acceptance_token with the access token that requested it. Reject a poll with another access token with a 4xx, such as 401.',
    needs: ['deferred'],
    async run(context) {
      const deferred = await defer(context)
      const { token } = await redeem(context)
      const { accessToken: own } = deferred
      const wrong = [
        ['the access token of another session', `Bearer ${token.accessToken}`, 'final'],
        ['a changed access token', `Bearer ${withOther(own, 4)}`, 'final'],
        ['the beginning of the access token', `Bearer ${own.slice(0, 1)}`, 'final'],
        ['no access token after Bearer', 'Bearer', 'practice'],
        ['the access token in the scheme Basic', `Basic ${own}`, 'practice'],
        ['a scheme before Bearer', `DPoP Bearer ${own}`, 'practice'],
        ['the access token twice', `Bearer ${own} ${own}`, 'practice'],
      ] as const
      const finding = await findEach(wrong, async ([what, authorization, level]) => {
        const found = findRefusal(await deferred.poll({ headers: { authorization } }), {
          what: `The poll with ${what}`,
        })
        return found.kind === 'broken' ? { ...found, level } : found
      })
      if (finding.kind !== 'held') return finding
      await reachAnswer('polling with its own access token', deferred.poll())
      return finding
    },
  },
  'I139-similar-acceptance-token': {
    title: 'A value that only resembles an acceptance_token is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12'],
    clauses: ['OpenID4VCI 1.0, 9.3'],
    description:
      'Who has the acceptance_token gets the credential: a lenient look-up makes it easier to guess.',
    sends:
      'POST /deferred_credential with values that are similar to the acceptance_token, with values of another type, with the access token instead, and with bodies that are not an object. Then the correct one.',
    decides: 'Each returns 4xx, while the valid token returns 202 or 200.',
    fix: 'Require an object whose acceptance_token is a string, and look it up by an exact, case-sensitive comparison. Return 400 otherwise.',
    needs: ['deferred'],
    async run(context) {
      const deferred = await defer(context)
      const { acceptanceToken, accessToken } = deferred
      // Lenient ones are last: a poll that is accepted may use the token.
      const misses = [
        ...convertibleTypes,
        { what: 'is the access token', change: () => accessToken },
        ...similarTexts,
      ]
      const requests = [
        ...[null, [], 7, 'text'].map((json) => ({
          what: `the body ${JSON.stringify(json)}`,
          json,
        })),
        ...valuesOf(misses, acceptanceToken).map(({ what, value, ...miss }) => ({
          what: `an acceptance_token that ${what}`,
          json: { acceptance_token: value },
          ...miss,
        })),
      ]
      const finding = await findEach(requests, async ({ what, json, ...miss }) => {
        const found = findRefusal(await deferred.poll({ json }), { what: `The poll with ${what}` })
        const isLess = found.kind === 'broken' && 'isLenient' in miss
        return isLess ? { ...found, level: 'practice' as const } : found
      })
      if (finding.kind !== 'held') return finding
      await reachAnswer('polling with the valid token', deferred.poll())
      return finding
    },
  },
  'I72-polled-too-often': {
    title: 'Polling without a pause does not invalidate the acceptance_token',
    level: 'practice',
    expectation: 'advice',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12'],
    description:
      'The profile does not specify an interval. An impatient wallet must be asked to wait, without an error about its token.',
    sends: `POST /deferred_credential ${polls} times without a pause, before the credential is ready.`,
    decides: 'Each returns 202 or a response that it was too soon (429, slow_down).',
    fix: 'Respond to early polls with 202, or with 429 or slow_down. Do not invalidate the acceptance_token because of them.',
    needs: ['deferred'],
    async run(context) {
      const deferred = await defer(context)
      for (let poll = 1; poll <= polls; poll++) {
        const answer = await deferred.poll()
        const { status } = answer
        const verdictSource = 'HTTP status of the deferred endpoint'
        if (status === 202 || status === 429 || patience.includes(errorOf(answer) ?? '')) continue
        const kind = classifyStatus(status)
        const observed = `Poll ${poll} was answered with HTTP ${status}`
        return kind === 'refused'
          ? broken(`${observed}.`, { expected: 202, actual: status, verdictSource })
          : inconclusive(`${observed}, which is not a verdict: see I68.`, { verdictSource })
      }
      return held(`All ${polls} polls were asked to wait.`, {
        verdictSource: 'HTTP status of the deferred endpoint',
      })
    },
  },
})
