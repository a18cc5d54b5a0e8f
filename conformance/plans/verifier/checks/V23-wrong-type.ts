import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V23',
  title: 'A credential of another type is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.7',
    '1.states-and-transitions.7',
  ],
  description: 'Any accredited issuer may issue many things; only one type is good for logging in.',
  sends: 'A credential of the same chain of types, but of another type at its end.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('type-other')),
})
