import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V68',
  title: 'A presentation that does not expire is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/presentation-token.2'],
  description:
    'A presentation without exp is good for ever to whoever checks exp only where it is there.',
  sends: 'A presentation without exp.',
  decides:
    'It may not be accepted. The documents have wallets send exp, and do not say what a presentation without it is worth.',
  run: (context) => expectRefused(context, withFaults('presentation-missing-exp')),
})
