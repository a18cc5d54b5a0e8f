import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectNotAccepted } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V48',
  title: 'A presentation that is not posted as a form is not accepted',
  level: 'final',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['OpenID4VP 1.0, 8.2'],
  description:
    'Browsers send text/plain across origins without asking: a verifier that reads any body lets every page post to it.',
  sends: 'Two good presentations: the form posted as text/plain, and its members as JSON.',
  decides: 'None of them may be accepted; that the session stays open is as good as a refusal.',
  run: (context) => expectNotAccepted(context, withFaults('response-text-plain', 'response-json')),
})
