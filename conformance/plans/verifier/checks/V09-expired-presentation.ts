import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V09',
  title: 'A presentation that has expired is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/presentation-token.2'],
  clauses: ['RFC 7519, 4.1.4'],
  description:
    'exp ends the time in which a stolen presentation is of use; who looks past it takes presentations for ever.',
  sends: 'A presentation that expired an hour ago, after a lifetime of five minutes.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withFaults('presentation-expired')),
})
