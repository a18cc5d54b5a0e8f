import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V05',
  title: 'A presentation with a wrong signature is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.states-and-transitions.7', '1.errors.10'],
  description:
    'The signature is all that ties a presentation to its holder: without it anybody who has seen a credential can log in with it.',
  sends:
    "Two presentations: one with a bit of its signature turned, one signed by somebody else's key in the holder's name.",
  decides: 'Neither may be accepted.',
  run: (context) =>
    expectRefused(context, withFaults('presentation-bad-signature', 'presentation-other-key')),
})
