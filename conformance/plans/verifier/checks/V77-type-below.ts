import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V77',
  title: 'A credential of a type below the accepted one is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-26'],
  description: 'The setting names one type and not a family: a new type below it may mean less.',
  sends: 'A credential whose chain of types goes on below the accepted one.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('type-below')),
})
