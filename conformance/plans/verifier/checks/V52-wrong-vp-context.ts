import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V52',
  title: 'A presentation of another @context or type is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/presentation-token.2'],
  description:
    'They say that it is a presentation, and in which words; something else that the holder signed is none.',
  sends: 'Two presentations: one with the @context of credentials, one whose type is Presentation.',
  decides:
    'Neither may be accepted. The documents say it of what wallets send, and not that verifiers look.',
  run: (context) =>
    expectRefused(context, withFaults('presentation-wrong-context', 'presentation-wrong-type')),
})
