import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V36',
  title: 'A credential of an issuer whose accreditation is revoked is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
    '2.states-and-transitions.7',
  ],
  description:
    'A revoked issuer keeps its key, its DID and the old accreditation in the TIR; issuerType alone says that it is over.',
  sends:
    'A credential of an issuer whose attribute in the TIR is REVOKED, its old body still there.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withDefects('accreditation-revoked')),
})
