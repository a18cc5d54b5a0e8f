import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V18',
  title: 'A presentation of two credentials is refused where one was asked for',
  level: 'final',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['OpenID4VP 1.0, 6.1', 'OpenID4VP 1.0, 8.6'],
  description:
    'Verifying one of them and reading the other one is a mistake that is made; the request asks for one, and the submission names one.',
  sends: 'A presentation that holds the credential twice.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withFaults('presentation-two-credentials')),
})
