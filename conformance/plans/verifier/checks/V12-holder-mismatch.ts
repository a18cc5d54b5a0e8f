import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V12',
  title: "Somebody else's credential is refused",
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '1.resources-and-their-fields/presentation-token.1',
    '1.resources-and-their-fields/presentation-token.2',
  ],
  description:
    'Credentials are no secret: every verifier has seen them. Only the holder that a credential was issued to may present it.',
  sends:
    "A presentation of somebody else's credential, with a good signature of the presenter's own key.",
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withFaults('holder-mismatch')),
})
