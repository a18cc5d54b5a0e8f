import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V43',
  title: 'A credential whose bit in the status list is set is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['Bitstring Status List 1.0, 3.2', 'docs/assumptions.md, A-23'],
  description:
    'Credentials of people who have left are revoked before they end. The documents know no credentialStatus, so this is an extension.',
  sends: 'A credential whose bit in its issuer’s status list is set.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('revoked')),
})
