import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V27',
  title: 'A credential without employeeId is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.2'],
  description: 'Without the employeeId nobody can tell the people of an organization apart.',
  sends: 'A credential whose mandatee has no employeeId.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('employee-id-absent')),
})
