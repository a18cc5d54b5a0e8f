import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V39',
  title: 'A credential accredited in another environment is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
    '1.errors.13',
  ],
  description: 'Who can register in the test environment can issue there; none of it counts here.',
  sends:
    'Two credentials: termsOfUse names a DID of the other environment, and a TIR on another host.',
  decides: 'None of them may be accepted.',
  run: (context) =>
    expectRefused(
      context,
      withDefects('terms-of-use-other-environment', 'terms-of-use-other-host'),
    ),
})
