import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V75',
  title: 'A credential under an expired accreditation is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-18'],
  description: 'An accreditation ends as every credential does; the TIR goes on serving it.',
  sends: 'A credential of an issuer whose accreditation has expired.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('accreditation-expired')),
})
