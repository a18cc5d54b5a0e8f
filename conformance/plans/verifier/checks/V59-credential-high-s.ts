import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAccepted } from '../expect-verdict.ts'
import { withDefects } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V59',
  title: 'A credential whose ES256K signature has a high s is accepted',
  level: 'final',
  expectation: 'accept',
  control: 'presentation',
  clauses: ['RFC 8812, 3.2'],
  description:
    'What holds for holders holds for issuers: about half of what OpenSSL signs has a high s.',
  sends: 'A credential with the other one of the two numbers s that verify.',
  decides: 'It has to be accepted.',
  run: (context) => expectAccepted(context, withDefects('high-s-signature')),
})
