import { changeMembers, type MemberChange, setMembers } from './set-members.ts'
import type { Change, FaultContext, Form, WalletFault } from './wallet-fault.ts'

const field = 'presentation_submission'
const broken = (rule: string, ...entails: readonly string[]) =>
  ({ at: 'verdict', rule, ...(entails.length > 0 && { entails }) }) as const
const wrongMap = broken('submission.descriptor-map')
// If the submission is not an object, its members are missing too.
const noObject = broken(
  'submission.format',
  'submission.definition-id',
  'submission.descriptor-map',
)

/** Changes one member of the JSON in the form. */
function setInSubmission(path: string, change: MemberChange): Change<Form> {
  return {
    members: [`${field}.${path}`],
    apply: (form, context: FaultContext) => {
      const value: object = JSON.parse(form[field] ?? '{}')
      return { ...form, [field]: JSON.stringify(changeMembers(value, { [path]: change }, context)) }
    },
  }
}

/** Deviations of the presentation_submission. */
export const presentationSubmissionFaults: readonly WalletFault[] = [
  {
    name: 'submission-missing',
    description: 'There is no presentation_submission.',
    expected: noObject,
    apply: { presentationResponse: setMembers({ [field]: undefined }) },
  },
  {
    name: 'submission-malformed',
    description: 'The JSON of the presentation_submission ends before its last brace.',
    expected: noObject,
    apply: {
      presentationResponse: setMembers({ [field]: (text: unknown) => String(text).slice(0, -1) }),
    },
  },
  {
    name: 'submission-missing-id',
    description: 'The presentation_submission has no id.',
    expected: broken('submission.format'),
    apply: { presentationResponse: setInSubmission('id', undefined) },
  },
  {
    name: 'submission-wrong-definition-id',
    description: 'definition_id is not dcql_query.',
    expected: broken('submission.definition-id'),
    apply: { presentationResponse: setInSubmission('definition_id', 'presentation_definition') },
  },
  {
    name: 'submission-empty-map',
    description: 'The descriptor_map is empty.',
    expected: wrongMap,
    apply: { presentationResponse: setInSubmission('descriptor_map', []) },
  },
  {
    name: 'submission-wrong-descriptor-id',
    description: 'The id of the descriptor does not match the query.',
    expected: wrongMap,
    apply: { presentationResponse: setInSubmission('descriptor_map.0.id', 'another_query') },
  },
  {
    name: 'submission-wrong-format',
    description: 'The descriptor names the format vp+jwt.',
    expected: wrongMap,
    apply: { presentationResponse: setInSubmission('descriptor_map.0.format', 'vp+jwt') },
  },
  {
    name: 'submission-wrong-path',
    description: 'The path of the descriptor points into the presentation.',
    expected: wrongMap,
    apply: { presentationResponse: setInSubmission('descriptor_map.0.path', '$.vp') },
  },
  {
    name: 'submission-wrong-nested-path',
    description: 'The descriptor points to a second credential, which does not exist.',
    expected: wrongMap,
    apply: {
      presentationResponse: setInSubmission(
        'descriptor_map.0.path_nested.path',
        '$.vp.verifiableCredential[1]',
      ),
    },
  },
  {
    name: 'submission-wrong-nested-format',
    description: 'The descriptor names the format jwt_vc_json for the credential.',
    expected: wrongMap,
    apply: {
      presentationResponse: setInSubmission('descriptor_map.0.path_nested.format', 'jwt_vc_json'),
    },
  },
]
