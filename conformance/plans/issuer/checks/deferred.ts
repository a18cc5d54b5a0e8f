import { z } from 'zod'
import { createDeferredCredentialRequest } from '#core/oid4vci/credential-request.ts'
import { zImmediateCredentialResponse } from '#core/oid4vci/credential-response.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { broken, defineChecks, endCheck, findEach, held, inconclusive } from '../../../kit/check.ts'
import {
  asPremise,
  classifyStatus,
  errorOf,
  findRefusal,
  requireAnswer,
  requireJson,
} from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { askForCredential, reachAnswer, redeem } from '../redeeming.ts'

/** A credential that a wallet waits for. */
export interface Deferred {
  readonly acceptanceToken: string
  readonly accessToken: string
  /** POST /deferred_credential, once; by default with the access token as Bearer. */
  poll(options?: PollOptions): Promise<HttpAnswer>
}

export interface PollOptions {
  /** By default the one of the transaction. */
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const zDeferred = z.looseObject({
  acceptance_token: z.string().min(1),
  c_nonce: z.string().min(1),
  c_nonce_expires_in: z.int().positive(),
})

/** What was delivered may be noted after the answer has gone out. */
const mostPolls = 20

const polls = 5

/** What an issuer may say to whoever asks too often. */
const patience = ['slow_down', 'issuance_pending']

export const checks = defineChecks<IssuerContext>({
  'I67-deferred-response': {
    title: 'A credential that is not ready is answered with an acceptance_token',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.11'],
    clauses: ['OpenID4VCI 1.0, 8.3'],
    description: 'By the acceptance_token a wallet asks again; without it the offer is lost.',
    sends: 'The credential request as documented, for an offer whose credential takes its time.',
    decides:
      'The credential endpoint answers 200 or 202 with acceptance_token, c_nonce and c_nonce_expires_in as integer.',
    needs: ['deferred'],
    async run(context) {
      const session = await redeem(context, { kind: 'deferred' })
      const what = 'the credential request'
      const answer = await reachAnswer(what, askForCredential(context, session))
      const json = requireJson(answer, what, [200, 202])
      if ('credential' in json) {
        return inconclusive('The credential of create-deferred-offer was there at once.')
      }
      const result = zDeferred.safeParse(json)
      const verdictSource = 'the answer of the credential endpoint'
      if (result.success) return held('The answer is as documented.', { verdictSource })
      const problems = result.error.issues.map(
        ({ path, message }) => `${path.join('.')}: ${message}`,
      )
      return broken(`The deferred response is not as documented: ${problems.join('; ')}.`, {
        expected: Object.keys(zDeferred.shape),
        actual: Object.keys(json),
        verdictSource,
      })
    },
  },
  'I68-deferred-delivery': {
    title: 'Polling is answered 202 until the credential is ready, then 200 with it',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.13',
      '1.states-and-transitions.8',
      '1.states-and-transitions.9',
    ],
    description: 'By the status alone a wallet knows whether to go on waiting.',
    sends: 'POST /deferred_credential at once, and again when the credential has to be ready.',
    decides: 'The first answer is 202, the second 200 with format and credential.',
    needs: ['deferred'],
    timeLimitMilliseconds: 660_000,
    async run(context) {
      const { deferredSeconds } = context
      const deferred = await defer(context)
      requireAnswer(await deferred.poll(), 'The poll before it is ready', [202])
      await context.letPass(deferredSeconds + 1)
      const answer = await deferred.poll()
      const json = requireJson(answer, `The poll after ${deferredSeconds + 1} seconds`)
      const result = zImmediateCredentialResponse.safeParse(json)
      const verdictSource = 'the answers of the deferred endpoint'
      return result.success
        ? held('202, and then the credential.', { verdictSource })
        : broken('The answer has not the shape of the credential endpoint.', {
            expected: ['format', 'credential'],
            actual: Object.keys(json),
            verdictSource,
          })
    },
  },
  'I69-unknown-acceptance-token': {
    title: 'An acceptance_token that the issuer never gave out is refused',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12'],
    clauses: ['OpenID4VCI 1.0, 9.3'],
    description: 'A wallet that is told to wait for what will never come waits for ever.',
    sends: 'POST /deferred_credential with a token of its own making, and with none.',
    decides: 'Each is answered 4xx, while the good token is answered 202 or 200.',
    needs: ['deferred'],
    async run(context) {
      const deferred = await defer(context)
      const unknown = { acceptance_token: 'no-acceptance-token-0123456789' }
      const bodies = { 'An unknown acceptance_token': unknown, 'No acceptance_token': {} }
      const finding = await findEach(Object.entries(bodies), async ([what, json]) =>
        findRefusal(await deferred.poll({ json }), { what }),
      )
      if (finding.kind !== 'held') return finding
      await reachAnswer('polling with the good token', deferred.poll())
      return finding
    },
  },
  'I70-after-delivery': {
    title: 'After the delivery the acceptance_token is worth nothing',
    level: 'final',
    expectation: 'refuse',
    clauses: ['OpenID4VCI 1.0, 9.1', 'OpenID4VCI 1.0, 9.3'],
    description: 'Whoever finds it in a log later fetches the credential as well.',
    sends: `POST /deferred_credential until the credential is there, and up to ${mostPolls} times after that.`,
    decides: 'One of these is answered 4xx.',
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
    title: 'An acceptance_token is refused with the access token of another session',
    level: 'final',
    expectation: 'refuse',
    clauses: ['OpenID4VCI 1.0, 9', 'OpenID4VCI 1.0, 9.3'],
    description: 'An access token says who asks: with another one it is somebody else who asks.',
    sends: 'POST /deferred_credential with the Bearer of another session that is good itself.',
    decides: 'It is answered 4xx, while with its own access token it is answered 202 or 200.',
    needs: ['deferred'],
    async run(context) {
      const deferred = await defer(context)
      const { token } = await redeem(context)
      const headers = { authorization: `Bearer ${token.accessToken}` }
      const finding = findRefusal(await deferred.poll({ headers }), {
        what: 'The poll with the access token of another session',
      })
      if (finding.kind !== 'held') return finding
      await reachAnswer('polling with its own access token', deferred.poll())
      return finding
    },
  },
  'I72-polled-too-often': {
    title: 'Who polls without a pause loses nothing',
    level: 'practice',
    expectation: 'advice',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12'],
    description:
      'The profile names no interval. A wallet that is impatient is told to wait, and not that its token is bad.',
    sends: `POST /deferred_credential ${polls} times without a pause, before the credential is ready.`,
    decides: 'Each is answered 202, or that it came too soon (429, slow_down).',
    needs: ['deferred'],
    async run(context) {
      const deferred = await defer(context)
      for (let poll = 1; poll <= polls; poll++) {
        const answer = await deferred.poll()
        const { status } = answer
        const verdictSource = 'HTTP status of the deferred endpoint'
        if (status === 202 || status === 429 || patience.includes(errorOf(answer) ?? '')) continue
        const kind = classifyStatus(status)
        const told = `Poll ${poll} was answered ${status}`
        return kind === 'refused'
          ? broken(`${told}.`, { expected: 202, actual: status, verdictSource })
          : inconclusive(`${told}, which is no verdict: see I68.`, { verdictSource })
      }
      return held(`All ${polls} were told to wait.`, {
        verdictSource: 'HTTP status of the deferred endpoint',
      })
    },
  },
})

/** A wallet asks for a credential that is not ready yet. */
async function defer(context: IssuerContext): Promise<Deferred> {
  const { wallet, resolved, token } = await redeem(context, { kind: 'deferred' })
  const { metadata, offered } = resolved
  const [entry] = offered
  if (entry === undefined) endCheck(inconclusive('The offer holds no credential.'))
  const request = { metadata, entry, ...token }
  const response = await asPremise('asking for a credential', requestCredential(wallet, request))
  if (response.kind !== 'deferred') {
    endCheck(inconclusive('The credential of create-deferred-offer was there at once.'))
  }
  const { acceptanceToken } = response
  const { accessToken } = token
  return {
    acceptanceToken,
    accessToken,
    poll: ({
      json = createDeferredCredentialRequest(acceptanceToken),
      headers = { authorization: `Bearer ${accessToken}` },
    } = {}) =>
      context.http.request(metadata.deferredCredentialEndpoint, { method: 'POST', json, headers }),
  }
}
