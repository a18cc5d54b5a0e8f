import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V74',
  title: 'A credential without a real signature is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
  description:
    'The algorithm that a credential names is chosen by whoever made it: none and a MAC with the public key prove nothing.',
  sends:
    'Two credentials: one with alg none, one with a MAC whose secret is the issuer’s public key.',
  decides: 'None of them may be accepted.',
  run: (context) => expectRefused(context, withDefects('alg-none', 'alg-hs256')),
})
