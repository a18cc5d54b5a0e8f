import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V38',
  title: 'A credential without termsOfUse is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-29'],
  description:
    'A verifier that looks for the accreditation where the credential says it is looks for none where it says nothing.',
  sends: 'A credential without termsOfUse, otherwise good.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('terms-of-use-absent')),
})
