import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V10',
  title: 'A presentation from the future is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-28'],
  description:
    'A wallet whose presentation carries a later time makes it good for later: a supply of presentations for whoever steals them. Clocks differ by seconds, not by minutes.',
  sends: 'A presentation whose iat is five minutes ahead.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withFaults('presentation-iat-future')),
})
