import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V21',
  title: 'A credential past validUntil is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.5',
    '1.states-and-transitions.7',
  ],
  description:
    'People leave organizations; what they held ends with validUntil, whatever the JWT says besides.',
  sends:
    'Two credentials whose validUntil was yesterday, one of them with an exp that is yet to come.',
  decides: 'None of them may be accepted.',
  run: (context) => expectRefused(context, withDefects('expired', 'exp-after-valid-until')),
})
