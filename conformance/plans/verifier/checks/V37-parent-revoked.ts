import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V37',
  title: 'A credential below a revoked TAO is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-18'],
  description:
    'Revocation does not cascade on chain: who looks at the issuer alone goes on trusting everything that a revoked TAO accredited.',
  sends:
    'A credential of an issuer whose own accreditation is good, made by a TAO that is REVOKED.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('parent-revoked')),
})
