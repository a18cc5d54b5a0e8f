import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V13',
  title: 'A presentation with alg none is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/presentation-token.1'],
  description:
    'A library that lets the header choose takes a token without any signature for a verified one.',
  sends: 'A presentation that is not signed, with alg none in its header.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withFaults('presentation-alg-none')),
})
