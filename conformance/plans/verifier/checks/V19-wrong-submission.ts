import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V19',
  title: 'A presentation_submission that is missing or wrong is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '1.resources-and-their-fields/presentation-submission.1',
    '1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1',
  ],
  description:
    'The submission says which query is answered with what. One that is about something else belongs to another conversation.',
  sends:
    'Five presentations: without a presentation_submission, with JSON that is cut off, with another definition_id, with another query id, with another path.',
  decides:
    'None of them may be accepted. The documents have wallets send it, and do not have verifiers refuse a credential that verifies without it.',
  run: (context) =>
    expectRefused(
      context,
      withFaults(
        'submission-missing',
        'submission-malformed',
        'submission-wrong-definition-id',
        'submission-wrong-descriptor-id',
        'submission-wrong-path',
      ),
    ),
})
