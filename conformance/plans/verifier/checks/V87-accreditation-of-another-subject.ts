import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V87',
  title: 'A credential under an accreditation about somebody else is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-18'],
  description:
    'A TAO that accredits one issuer has not accredited the other one that shows the same body.',
  sends:
    'Two credentials whose issuer’s attribute holds an accreditation about somebody else, or one made for another attribute.',
  decides: 'None of them may be accepted.',
  run: (context) =>
    expectRefused(context, withDefects('accreditation-of-another', 'accreditation-moved')),
})
