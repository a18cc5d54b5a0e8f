import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V66',
  title: 'A presentation with a signature in ASN.1 is refused',
  level: 'final',
  expectation: 'refuse',
  clauses: ['RFC 7518, 3.4', 'RFC 8812, 3.2'],
  description:
    'A JWS has r and s side by side. Whoever takes other forms too has several signatures for one message, and a second parser to attack.',
  sends: 'A presentation whose signature is in ASN.1 DER, as OpenSSL makes it.',
  decides: 'It may not be accepted.',
  run: (context) => expectRefused(context, withFaults('presentation-der-signature')),
})
