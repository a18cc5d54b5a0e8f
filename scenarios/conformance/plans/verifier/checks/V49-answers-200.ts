import { setMembers } from '#wallet-emulator/faults/set-members.ts'
import { classifyStatus } from '../../../classify-answer.ts'
import { broken, held, inconclusive } from '../../../finding.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { type PresentationCase, withChange, withFaults } from '../presentation-case.ts'

const cases: readonly PresentationCase[] = [
  { what: 'A good presentation.' },
  ...withFaults('presentation-bad-signature'),
  withChange('vp_token is no JWT.', {
    presentationResponse: setMembers({ vp_token: 'this is no token' }),
  }),
]

export const check = defineVerifierCheck({
  id: 'V49',
  title: 'Every form is answered with 200, whatever the verdict',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.2',
    '1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1',
  ],
  description:
    'The verifier must answer HTTP 200: the verdict is told to the browser that waits, and not to the wallet, to which any other status is a failure of its own.',
  sends:
    'Three forms, each to a session of its own: a good presentation, one with a wrong signature, and one whose vp_token is no JWT.',
  decides: 'Each post has to be answered with 200. Overload and outage decide nothing.',
  async run({ openRequest, present }) {
    for (const each of cases) {
      const { status, reason } = await present(await openRequest(), each)
      const verdictSource = 'HTTP status of the response endpoint'
      if (status === 200) continue
      const kind = status === 0 ? 'timed-out' : classifyStatus(status)
      if (kind === 'accepted' || kind === 'refused') {
        return broken(`${each.what} It was answered with ${status}, and not with 200.`, {
          verdictSource,
          expected: 200,
          actual: status,
        })
      }
      return inconclusive(`${each.what} ${reason}`, { verdictSource })
    }
    return held('Each form was answered with 200.', {
      verdictSource: 'HTTP status of the response endpoint',
    })
  },
})
