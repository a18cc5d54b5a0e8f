import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V76',
  title: 'A credential past exp is refused',
  level: 'final',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['RFC 7519, 4.1.4'],
  description: 'A JWT must not be accepted after its exp, whatever validUntil says.',
  sends: 'A credential whose exp was yesterday and whose validUntil is yet to come.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('exp-before-valid-until')),
})
