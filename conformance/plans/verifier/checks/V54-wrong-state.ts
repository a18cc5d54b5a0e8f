import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V54',
  title: 'A form with the state of another session is refused',
  level: 'final',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['OpenID4VP 1.0, 14.3.2', 'RFC 6749, 4.1.2'],
  description:
    'state ties the answer to the session that asked. A wallet that sends it back sends the one of the request.',
  sends: 'A good presentation whose form holds another state.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withFaults('response-wrong-state')),
})
