import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V24',
  title: 'A credential without its chain of types is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.4'],
  description:
    'The type array contains every type of the inheritance chain: what rests on the types above may read them.',
  sends: 'Two credentials: without LEARCredential, and without VerifiableCredential.',
  decides: 'None of them may be accepted.',
  run: (context) =>
    expectRefused(context, withDefects('inherited-type-missing', 'verifiable-credential-missing')),
})
