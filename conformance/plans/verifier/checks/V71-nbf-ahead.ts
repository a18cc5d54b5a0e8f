import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V71',
  title: 'A presentation that is not valid yet is refused',
  level: 'final',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['RFC 7519, 4.1.5'],
  description: 'nbf says from when on a token may be accepted.',
  sends: 'A presentation with an nbf that is five minutes ahead.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withFaults('presentation-not-yet-valid')),
})
