import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V78',
  title: 'A credential with an empty employeeId is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-28'],
  description: 'An empty text is there and says nothing: everybody who has one is the same person.',
  sends: 'A credential whose employeeId is an empty text.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('employee-id-empty')),
})
