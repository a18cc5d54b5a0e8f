import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V25',
  title: 'A credential with another first @context is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.3'],
  description: 'The first @context says in which version of the data model the rest is to be read.',
  sends:
    'Two credentials: one with the context of version 1.1 before that of 2.0, one without any.',
  decides: 'None of them may be accepted.',
  run: (context) => expectRefused(context, withDefects('context-order', 'context-absent')),
})
