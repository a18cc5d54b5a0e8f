import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V72',
  title: 'A presentation without kid is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/presentation-token.1'],
  description:
    'kid names the key of the holder; a verifier that guesses it from the rest lets the rest choose.',
  sends: 'A presentation without kid, signed with the key of its iss.',
  decides:
    'It may not be accepted. The documents have wallets send kid, and do not say what a presentation without it is worth.',
  run: (context) => expectRefused(context, withFaults('presentation-missing-kid')),
})
