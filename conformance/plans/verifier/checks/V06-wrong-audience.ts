import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V06',
  title: 'A presentation for another verifier is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/presentation-authorization-request.4'],
  description:
    'A verifier that looks at no aud can be shown what was presented elsewhere: whoever runs one verifier logs in at the others with it.',
  sends: 'Two presentations: one whose aud is another verifier, one without aud.',
  decides: 'None of them may be accepted.',
  run: (context) =>
    expectRefused(context, withFaults('presentation-wrong-aud', 'presentation-missing-aud')),
})
