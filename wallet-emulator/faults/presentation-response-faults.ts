import { changeCall, formAsJson, sendAgain, sendBefore, setHeaders } from './change-call.ts'
import { setMembers } from './set-members.ts'
import type { Call, WalletFault } from './wallet-fault.ts'

const unsupported = {
  at: 'presentation',
  status: 415,
  error: 'unsupported_media_type',
} as const
const pending = { at: 'session', status: 'PENDING' } as const

/** The post with another character at the end of the presentation, which is its signature's. */
function withBrokenSignature(call: Call): Call {
  const form = new URLSearchParams(call.body)
  const [header, payload, signature = ''] = (form.get('vp_token') ?? '').split('.')
  const bytes = Buffer.from(signature, 'base64url')
  bytes[32] = (bytes[32] ?? 0) ^ 1
  form.set('vp_token', `${header}.${payload}.${bytes.toString('base64url')}`)
  return { ...call, body: form.toString() }
}

/** Deviations of how the presentation is posted. */
export const presentationResponseFaults: readonly WalletFault[] = [
  {
    name: 'presentation-replayed',
    description: 'The presentation is posted twice, and the second answer counts.',
    expected: { at: 'session', status: 'SUCCESS' },
    apply: { presentationCall: sendAgain() },
  },
  {
    name: 'presentation-corrected',
    description: 'A presentation with a wrong signature is posted first, then the right one.',
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
    description: 'The form holds no presentation.',
    expected: pending,
    apply: { presentationResponse: setMembers({ vp_token: undefined }) },
  },
  {
    name: 'response-vp-token-twice',
    description: 'The presentation stands twice in the form.',
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
    description: 'state is another one than in the request.',
    expected: { at: 'verdict', rule: 'response.state' },
    apply: { presentationResponse: setMembers({ state: 'bm90LXRoZS1zdGF0ZQ' }) },
  },
  {
    name: 'response-missing-state',
    description: 'The state of the request is not sent back.',
    expected: {
      at: 'nowhere',
      because: 'The profile gives the form two fields, vp_token and presentation_submission',
    },
    apply: { presentationResponse: setMembers({ state: undefined }) },
  },
]
