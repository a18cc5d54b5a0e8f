import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAccepted } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V84',
  title: 'A form without state is accepted',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1'],
  description:
    "The documents' wallets send two fields, vp_token and presentation_submission; a verifier that waits for a third one never hears of them.",
  sends: 'A good presentation whose form has no state.',
  decides: 'It has to be accepted.',
  run: (context) => expectAccepted(context, withFaults('response-missing-state')),
})
