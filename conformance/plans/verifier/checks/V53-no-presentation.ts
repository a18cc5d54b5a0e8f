import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectNotAccepted } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V53',
  title: 'A form without a presentation, or with two, is not accepted',
  level: 'final',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['RFC 6749, 3.1', 'OpenID4VP 1.0, 8.1'],
  description:
    'Of two fields with one name each part of a verifier may read another one: one is verified, and the other is believed.',
  sends: 'Two forms: one without vp_token, one with two of them.',
  decides: 'None may be accepted; that the session stays open is as good as a refusal.',
  run: (context) =>
    expectNotAccepted(context, withFaults('response-missing-vp-token', 'response-vp-token-twice')),
})
