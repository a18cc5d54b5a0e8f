import { setMembers } from '#wallet-emulator/faults/set-members.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { classifyStatus, findRefusal } from '../../../kit/classify-answer.ts'
import type { VerifierContext } from '../context.ts'
import {
  findAcceptance,
  findEachAnswered,
  findNoneAccepted,
  withChange,
  withFaults,
} from '../presentation-checks.ts'

const deep = Buffer.from(`{"vp":${'['.repeat(20_000)}${']'.repeat(20_000)}}`).toString('base64url')

const posts: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  'an empty form': { vp_token: undefined, presentation_submission: undefined },
  'an error of the wallet': { vp_token: undefined, error: 'access_denied' },
  'three dots': { vp_token: '...' },
  'a header that is no JSON': { vp_token: 'e.e30.AA' },
  'null for a header': { vp_token: 'bnVsbA.bnVsbA.AA' },
  'a payload that nests deep': { vp_token: `e30.${deep}.AA` },
  'a submission that is null': { presentation_submission: 'null' },
  'a submission that is a list': { presentation_submission: '[]' },
}

/** What the response endpoint does about posts, whatever the verdict. */
export const checks = defineChecks<VerifierContext>({
  'V08-replayed-presentation': {
    title: 'A presentation that is posted again leads nobody into the session',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['docs/assumptions.md, A-30', 'OpenID4VP 1.0, 13.3'],
    description:
      'Where the answer sends the holder on with a one-time code, whoever posts the same presentation again must not be given one too.',
    sends: 'A good presentation, and the very same form to the same session again.',
    decides:
      'The second post has to be refused with a 4xx, or its answer has no redirect_uri where the first one had it.',
    async run({ openRequest, present }) {
      const first = await present(await openRequest())
      if (first.status !== 200) {
        return inconclusive(`A good presentation was not taken either. ${first.reason}`)
      }
      const replay = await present(await openRequest(), withFaults('presentation-replayed')[0])
      const verdictSource = `answer of the response endpoint: HTTP ${replay.status}`
      const isRefusal = replay.status >= 400 && replay.status < 500 && replay.status !== 429
      if (isRefusal) return held(`The second post was refused. ${replay.reason}`, { verdictSource })
      if (replay.status !== 200) return inconclusive(replay.reason, { verdictSource })
      if (first.redirectUri === undefined) {
        const reason = 'Both are answered alike: nothing tells whether the second one counted.'
        return inconclusive(reason, { verdictSource })
      }
      return replay.redirectUri === undefined
        ? held('The answer to the second post leads nowhere.', { verdictSource })
        : broken('The second post is sent on as the first one was.', {
            verdictSource,
            expected: 'no redirect_uri',
            actual: replay.redirectUri,
          })
    },
  },
  'V48-no-form': {
    title: 'A presentation that is not posted as a form is not accepted',
    level: 'final',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['OpenID4VP 1.0, 8.2'],
    description:
      'Browsers send text/plain across origins without asking: a verifier that reads any body lets every page post to it.',
    sends: 'Two good presentations: the form posted as text/plain, and its members as JSON.',
    decides: 'None of them may be accepted; that the session stays open is as good as a refusal.',
    run: (context) => findNoneAccepted(context, withFaults('response-text-plain', 'response-json')),
  },
  'V49-answers-200': {
    title: 'Every presentation is answered with 200, whatever the verdict',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.2',
      '1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1',
    ],
    description:
      'The verifier must answer HTTP 200: the verdict is told to the browser that waits, and not to the wallet, to which any other status is a failure of its own.',
    sends:
      'Two presentations, each to a session of its own: a good one, and one with a wrong signature.',
    decides: 'Each post has to be answered with 200. Overload and outage decide nothing.',
    run: (context) =>
      findEachAnswered(context, [
        { what: 'A good presentation.' },
        ...withFaults('presentation-bad-signature'),
      ]),
  },
  'V53-no-presentation': {
    title: 'A form without a presentation, or with two, is not accepted',
    level: 'final',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['RFC 6749, 3.1', 'OpenID4VP 1.0, 8.1'],
    description:
      'Of two fields with one name each part of a verifier may read another one: one is verified, and the other is believed.',
    sends: 'Two forms: one without vp_token, one with two of them.',
    decides: 'None may be accepted; that the session stays open is as good as a refusal.',
    run: (context) =>
      findNoneAccepted(context, withFaults('response-missing-vp-token', 'response-vp-token-twice')),
  },
  'V88-unknown-session': {
    title: 'A post to a session that does not exist is refused',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-30'],
    description:
      'A wallet that is told 200 by a session that nobody waits for tells its holder that all is well.',
    sends:
      'A good presentation to the response_uri of a session, with one more character at its end.',
    decides:
      'It has to be answered with a 4xx, while the session itself takes a good presentation.',
    async run({ openRequest, present }) {
      const opened = await openRequest()
      const { response_uri: responseUri } = opened.parameters
      if (typeof responseUri !== 'string') return inconclusive('There is no response_uri; see V01.')
      const url = `${responseUri}x`
      const parameters = { ...opened.parameters, response_uri: url }
      const { status, reason } = await present({ ...opened, parameters })
      if (status === 0) return inconclusive(reason)
      const what = 'A post to a session that does not exist'
      return findRefusal({ method: 'POST', url, status, json: undefined }, { what })
    },
  },
  'V89-undecodable-posts': {
    title: 'No post makes the verifier fail',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-30'],
    description:
      'What a client can send is no fault of the server: an answer of 500 is a place to look for more.',
    sends: `${Object.keys(posts).length} forms, each to a session of its own: ${Object.keys(posts).join(', ')}.`,
    decides: 'None may be answered with a 5xx, and none may be accepted.',
    async run({ openRequest, present, look }) {
      for (const [what, members] of Object.entries(posts)) {
        const expected = { at: 'nowhere', because: '' } as const
        const apply = { presentationResponse: setMembers<Record<string, string>>(members) }
        const fault = { name: what, description: what, check: '', rule: '', expected, apply }
        const opened = await openRequest()
        const { status, reason } = await present(opened, { faults: [fault] })
        const verdictSource = 'HTTP status of the response endpoint'
        const kind = status === 0 ? 'timed-out' : classifyStatus(status)
        if (kind === 'outage') {
          const details = { verdictSource, expected: 'no 5xx', actual: status }
          return broken(`The form was ${what}. ${reason}`, details)
        }
        if (kind === 'timed-out' || kind === 'overloaded') return inconclusive(reason)
        const after = await look(opened)
        if (after.verdict === 'accepted') return findAcceptance(`The form was ${what}.`, after)
      }
      return held('Each of them was answered, and none was accepted.')
    },
  },
  'V93-unreadable-form-answered': {
    title: 'A form that holds no presentation is answered with 200 as well',
    level: 'practice',
    expectation: 'accept',
    clauses: ['docs/assumptions.md, A-30'],
    description:
      'The verifier must answer HTTP 200. The profile says it of presentations; what a wallet learns from another answer is what an attacker learns.',
    sends:
      'Two forms, each to a session of its own: one whose vp_token is no JWT, and one without vp_token.',
    decides: 'Each post has to be answered with 200. Overload and outage decide nothing.',
    run: (context) =>
      findEachAnswered(context, [
        withChange('vp_token is no JWT.', {
          presentationResponse: setMembers({ vp_token: 'this is no token' }),
        }),
        ...withFaults('response-missing-vp-token'),
      ]),
  },
})
