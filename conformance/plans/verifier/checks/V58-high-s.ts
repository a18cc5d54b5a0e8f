import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAccepted } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V58',
  title: 'A presentation whose ES256K signature has a high s is accepted',
  level: 'final',
  expectation: 'accept',
  control: 'presentation',
  clauses: ['RFC 8812, 3.2'],
  description:
    'Low s is a habit of Ethereum; about half of what OpenSSL-based wallets sign has a high one. A library that refuses these fails every other login of their holders.',
  sends: 'A presentation with the other one of the two numbers s that verify.',
  decides: 'It has to be accepted.',
  run: (context) => expectAccepted(context, withFaults('presentation-high-s')),
})
