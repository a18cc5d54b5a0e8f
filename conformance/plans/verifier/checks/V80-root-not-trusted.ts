import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V80',
  title: 'A credential under a root that is not trusted is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-18'],
  description: 'A chain of trust is worth what its root is: everybody can make one.',
  sends: 'A credential of an issuer that stands in a chain of its own.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('root-not-trusted')),
})
