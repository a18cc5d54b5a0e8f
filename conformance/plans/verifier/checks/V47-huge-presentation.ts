import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V47',
  title: 'A presentation of a mebibyte is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-29'],
  description:
    'Anybody may post to response_uri: what is larger than any presentation costs memory and time before it is found out.',
  sends: 'A good presentation with a mebibyte of padding in it.',
  decides: 'It may not be accepted: 413 as a rule, or a session that ends as refused.',
  run: (context) => expectRefused(context, withFaults('presentation-huge')),
})
