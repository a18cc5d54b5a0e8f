import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V85',
  title: 'A credential whose issuer is not iss is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-28'],
  description: 'The JWT is verified for iss, and applications read vc.issuer: they have to be one.',
  sends: 'A credential whose vc.issuer is another DID than iss.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('issuer-mismatch')),
})
