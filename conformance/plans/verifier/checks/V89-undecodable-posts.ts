import { setMembers } from '#wallet-emulator/faults/set-members.ts'
import { classifyStatus } from '../../../kit/classify-answer.ts'
import { broken, held, inconclusive } from '../../../kit/finding.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { findAcceptance } from '../expect-verdict.ts'

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

export const check = defineVerifierCheck({
  id: 'V89',
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
})
