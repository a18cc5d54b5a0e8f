import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V70',
  title: 'A presentation without iat is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/presentation-token.2'],
  description: 'Without iat nobody can tell how old it is.',
  sends: 'A presentation without iat.',
  decides:
    'It may not be accepted. The documents have wallets send iat, and do not say what a presentation without it is worth.',
  run: (context) => expectRefused(context, withFaults('presentation-missing-iat')),
})
