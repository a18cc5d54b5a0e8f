import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V79',
  title: 'A credential of an issuer that accredited itself is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-18'],
  description:
    'Whoever writes into the TIR can write a body of its own making; it has to be signed by the TAO that the TIR names.',
  sends: 'A credential of an issuer whose accreditation carries its own signature.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('accreditation-self-signed')),
})
