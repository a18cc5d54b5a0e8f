import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V81',
  title: 'A credential whose revocation can not be told is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-23', 'docs/assumptions.md, A-29'],
  description: 'Whoever keeps the status list away would keep revocation away.',
  sends: 'Two credentials: one whose status list is not there, one whose index is beyond its end.',
  decides: 'None of them may be accepted.',
  run: (context) =>
    expectRefused(context, withDefects('status-list-missing', 'status-index-beyond')),
})
