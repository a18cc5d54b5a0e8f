import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V42',
  title: 'A credential of a type that its issuer is not accredited for is refused',
  level: 'practice',
  expectation: 'advice',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-18'],
  description:
    'An accreditation names the types that it is for. The documents leave open whether verifiers look at them, so this is advice.',
  sends: 'A credential whose issuer is accredited for another type.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('accreditation-for-another-type')),
})
