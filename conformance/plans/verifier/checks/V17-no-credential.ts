import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V17',
  title: 'A presentation without a credential is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/presentation-token.2', '1.states-and-transitions.6'],
  description: 'A loop over no credentials finds nothing wrong with any of them.',
  sends: 'A presentation whose verifiableCredential is an empty array.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withFaults('presentation-empty')),
})
