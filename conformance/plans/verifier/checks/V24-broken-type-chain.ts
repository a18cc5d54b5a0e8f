import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { asPractice, withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V24',
  title: 'A credential without its chain of types is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.4'],
  description:
    'The type array contains every type of the inheritance chain: what rests on the types above may read them.',
  sends: 'Two credentials: without VerifiableCredential, and without LEARCredential.',
  decides:
    'Neither may be accepted. Taking the one without LEARCredential is a WARN: the documents do not name the types of the chain.',
  run: (context) =>
    expectRefused(context, [
      ...withDefects('verifiable-credential-missing'),
      ...asPractice(withDefects('inherited-type-missing')),
    ]),
})
