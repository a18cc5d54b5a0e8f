import { changeMembers, type MemberChange, setMembers } from '#wallet-emulator/faults/change-jws.ts'
import type { FaultContext, Form } from '#wallet-emulator/faults/wallet-fault.ts'
import { closestMisses } from '../../../kit/near-misses.ts'
import {
  type PresentationCase,
  refusals,
  withChange,
  withFaults,
  withField,
} from '../presentation-checks.ts'

/** The presentation_submission is missing or wrong. */
export const checks = refusals({
  'V19-wrong-submission': {
    title: 'A presentation_submission that is missing or wrong is rejected',
    level: 'practice',
    rows: [
      '1.resources-and-their-fields/presentation-submission.1',
      '1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1',
    ],
    description:
      'The submission maps each query to its response. A submission for another query belongs to another exchange.',
    fix: 'Require one presentation_submission in the form, and parse it. Require definition_id dcql_query, the id of the query, path $ and path_nested.path $.vp.verifiableCredential[0]. Otherwise reject the presentation.',
    remark:
      'The profile requires wallets to send it. It does not require verifiers to reject a valid credential without it.',
    presentations: [
      ...withFaults(
        'submission-missing',
        'submission-malformed',
        'submission-wrong-definition-id',
        'submission-wrong-descriptor-id',
        'submission-wrong-path',
      ),
      inSubmission('definition_id is missing.', 'definition_id', undefined),
      ...closestMisses.map(({ what, change }) =>
        inSubmission(`definition_id ${what}.`, 'definition_id', change('dcql_query')),
      ),
      inSubmission(
        'The id of the descriptor has one more character.',
        'descriptor_map.0.id',
        (id: unknown) => `${id}2`,
      ),
      inSubmission(
        'The nested descriptor has another id.',
        'descriptor_map.0.path_nested.id',
        'another_query',
      ),
      withField(
        'The form has a second presentation_submission, which is empty.',
        { presentation_submission: '{}' },
        'last',
      ),
      withField(
        'The form has an empty presentation_submission before the right one.',
        { presentation_submission: '{}' },
        'first',
      ),
      withChange('The submission contains definition_id twice.', {
        presentationResponse: setMembers({
          presentation_submission: (text: unknown) =>
            String(text).replace('{', '{"definition_id":"another_query",'),
        }),
      }),
    ],
  },
  'V73-wrong-descriptor': {
    title: 'A submission with no id or a wrong descriptor is rejected',
    level: 'practice',
    rows: ['1.resources-and-their-fields/presentation-submission.1'],
    description:
      'The descriptor map states the format of the presentation and the position of the credential in it.',
    fix: 'Require id in presentation_submission, and one descriptor: format jwt_vp, path $, path_nested with format jwt_vc and path $.vp.verifiableCredential[0]. Otherwise reject the presentation.',
    remark:
      'The profile states it for wallets. A verifier that finds the credential anyway is safe, but its wallets may fail with other verifiers.',
    presentations: [
      ...withFaults(
        'submission-missing-id',
        'submission-empty-map',
        'submission-wrong-format',
        'submission-wrong-nested-path',
        'submission-wrong-nested-format',
      ),
      inSubmission('The id of the submission is an empty string.', 'id', ''),
      inSubmission('The id of the submission is a number.', 'id', 1),
      inSubmission('The descriptor_map is missing.', 'descriptor_map', undefined),
      inSubmission(
        'The descriptor_map contains a second descriptor.',
        'descriptor_map',
        (map: unknown) => [map, map].flat(),
      ),
      ...['format', 'path_nested.format', 'path_nested.path'].map((member) =>
        inSubmission(
          `${member} of the descriptor is in upper case.`,
          `descriptor_map.0.${member}`,
          (text: unknown) => String(text).toUpperCase(),
        ),
      ),
      inSubmission('The descriptor is null.', 'descriptor_map', [null]),
      inSubmission('The descriptor has no path_nested.', 'descriptor_map.0.path_nested', undefined),
      inSubmission(
        'The nested descriptor contains another one.',
        'descriptor_map.0.path_nested.path_nested',
        { id: 'another_query', format: 'jwt_vc', path: '$' },
      ),
    ],
  },
})

/** A presentation with another member of its presentation_submission; undefined removes it. */
function inSubmission(what: string, path: string, change: MemberChange): PresentationCase {
  return withChange(what, {
    presentationResponse: {
      members: ['presentation_submission'],
      apply: (form: Form, context: FaultContext) => {
        const submission: object = JSON.parse(form.presentation_submission ?? '{}')
        const changed = changeMembers(submission, { [path]: change }, context)
        return { ...form, presentation_submission: JSON.stringify(changed) }
      },
    },
  })
}
