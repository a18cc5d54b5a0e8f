import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAnswered } from '../expect-answered.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V49',
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
    expectAnswered(context, [
      { what: 'A good presentation.' },
      ...withFaults('presentation-bad-signature'),
    ]),
})
