import { changeCall, formAsJson, sendAgain, sendBefore, setHeaders } from './change-call.ts'
import { changeMembers, type MemberChange, setMembers } from './change-jws.ts'
import type { Call, Change, FaultContext, Form, WalletFault } from './wallet-fault.ts'

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

const unsupported = {
  at: 'presentation',
  status: 415,
  error: 'unsupported_media_type',
} as const
const pending = { at: 'session', status: 'PENDING' } as const

/** Returns the post with one bit of the presentation's signature changed. */
function withBrokenSignature(call: Call): Call {
  const form = new URLSearchParams(call.body)
  const [header, payload, signature = ''] = (form.get('vp_token') ?? '').split('.')
  const bytes = Buffer.from(signature, 'base64url')
  bytes[32] = (bytes[32] ?? 0) ^ 1
  form.set('vp_token', `${header}.${payload}.${bytes.toString('base64url')}`)
  return { ...call, body: form.toString() }
}

/** Deviations of the response that sends the presentation: its submission, and the post. */
export const presentationResponseFaults: readonly WalletFault[] = [
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
  {
    name: 'presentation-replayed',
    description: 'The wallet posts the presentation twice; the second response counts.',
    expected: { at: 'session', status: 'SUCCESS' },
    apply: { presentationCall: sendAgain() },
  },
  {
    name: 'presentation-corrected',
    description:
      'The wallet posts a presentation with an invalid signature first, then the valid one.',
    expected: { at: 'verdict', rule: 'presentation.signature' },
    apply: { presentationCall: sendBefore((call) => [withBrokenSignature(call)]) },
  },
  {
    name: 'response-text-plain',
    description: 'The form is posted as text/plain.',
    expected: unsupported,
    apply: { presentationCall: setHeaders({ 'content-type': 'text/plain' }) },
  },
  {
    name: 'response-json',
    description: 'The presentation is posted as JSON.',
    expected: unsupported,
    apply: { presentationCall: formAsJson },
  },
  {
    name: 'response-missing-vp-token',
    description: 'The form has no vp_token.',
    expected: pending,
    apply: { presentationResponse: setMembers({ vp_token: undefined }) },
  },
  {
    name: 'response-vp-token-twice',
    description: 'The form contains vp_token twice.',
    expected: pending,
    apply: {
      presentationCall: changeCall(['body'], (call) => {
        const vpToken = new URLSearchParams(call.body).get('vp_token') ?? ''
        return { ...call, body: `${call.body}&${new URLSearchParams({ vp_token: vpToken })}` }
      }),
    },
  },
  {
    name: 'response-wrong-state',
    description: 'state does not match the request.',
    expected: { at: 'verdict', rule: 'response.state' },
    apply: { presentationResponse: setMembers({ state: 'bm90LXRoZS1zdGF0ZQ' }) },
  },
  {
    name: 'response-missing-state',
    description: 'The response has no state although the request has one.',
    expected: {
      at: 'nowhere',
      because: 'The profile defines two form fields, vp_token and presentation_submission',
    },
    apply: { presentationResponse: setMembers({ state: undefined }) },
  },
]
