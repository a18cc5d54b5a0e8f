import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V73',
  title: 'A submission without an id, or that describes something else, is refused',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['1.resources-and-their-fields/presentation-submission.1'],
  description:
    'The map says in what format the presentation is and where in it the credential stands.',
  sends:
    'Five presentations: without an id, with an empty descriptor_map, another format, another nested path, another nested format.',
  decides:
    'None of them may be accepted. The documents say it of what wallets send: a verifier that finds the credential all the same is no danger, but others refuse its wallets.',
  run: (context) =>
    expectRefused(
      context,
      withFaults(
        'submission-missing-id',
        'submission-empty-map',
        'submission-wrong-format',
        'submission-wrong-nested-path',
        'submission-wrong-nested-format',
      ),
    ),
})
