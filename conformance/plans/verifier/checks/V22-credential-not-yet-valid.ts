import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V22',
  title: 'A credential that is not valid yet is refused',
  level: 'final',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['W3C VC Data Model 2.0, 4.9', 'RFC 7519, 4.1.5'],
  description: 'An issuer hands out credentials for a mandate that begins later.',
  sends: 'A credential whose validFrom and nbf are tomorrow.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('not-yet-valid')),
})
