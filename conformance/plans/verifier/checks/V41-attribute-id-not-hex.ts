import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V41',
  title: 'A credential whose termsOfUse is no address in the TIR is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
    '1.errors.13',
  ],
  description:
    'What can not be read is not there; a verifier that passes over it passes over the accreditation.',
  sends: 'A credential whose termsOfUse ends in an attributeId that is not hexadecimal.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('terms-of-use-not-hex')),
})
