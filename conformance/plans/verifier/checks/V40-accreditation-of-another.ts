import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V40',
  title: "A credential that points to somebody else's accreditation is refused",
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8'],
  description:
    "Whoever has a DID points to the accreditation of somebody who has one: it has to be the issuer's.",
  sends: "A credential whose termsOfUse is the TAO's attribute.",
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('terms-of-use-other-did')),
})
