import { setMembers } from '#wallet-emulator/faults/set-members.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAnswered } from '../expect-answered.ts'
import { withChange, withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V93',
  title: 'A form that holds no presentation is answered with 200 as well',
  level: 'practice',
  expectation: 'accept',
  clauses: ['docs/assumptions.md, A-30'],
  description:
    'The verifier must answer HTTP 200. The documents say it of presentations; what a wallet learns from another answer is what an attacker learns.',
  sends:
    'Two forms, each to a session of its own: one whose vp_token is no JWT, and one without vp_token.',
  decides: 'Each post has to be answered with 200. Overload and outage decide nothing.',
  run: (context) =>
    expectAnswered(context, [
      withChange('vp_token is no JWT.', {
        presentationResponse: setMembers({ vp_token: 'this is no token' }),
      }),
      ...withFaults('response-missing-vp-token'),
    ]),
})
