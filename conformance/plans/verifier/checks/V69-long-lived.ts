import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V69',
  title: 'A presentation that lives too long is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-28'],
  description:
    'A presentation is made for one login. A day of lifetime, or one that began an hour ago, is a supply for whoever steals it; the testbed takes fifteen minutes.',
  sends:
    'Two presentations: one that is good for a day, one that was made an hour ago and is good still.',
  decides: 'None of them may be accepted.',
  run: (context) =>
    expectRefused(context, withFaults('presentation-long-lived', 'presentation-iat-old')),
})
