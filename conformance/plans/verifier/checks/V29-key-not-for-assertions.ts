import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V29',
  title: 'A credential signed with a key that is not for assertions is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6',
    '2.states-and-transitions.3',
  ],
  description:
    'An organization has keys for other things, in less careful hands; only what stands in assertionMethod signs credentials.',
  sends:
    "A credential signed with a key that the issuer's DID document has under authentication alone.",
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('key-not-for-assertions')),
})
