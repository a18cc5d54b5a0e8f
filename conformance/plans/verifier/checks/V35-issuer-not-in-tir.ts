import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V35',
  title: 'A credential of an issuer that the TIR does not know is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
    '1.errors.13',
  ],
  description:
    'Everybody can have a DID and sign credentials; the TIR says whose are worth something.',
  sends: 'A credential whose termsOfUse points to an attribute that the TIR does not have.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('not-accredited')),
})
