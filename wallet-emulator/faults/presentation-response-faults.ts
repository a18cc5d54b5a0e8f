import { changeCall, formAsJson, sendAgain, sendBefore, setHeaders } from './change-call.ts'
import { setMembers } from './set-members.ts'
import type { Call, WalletFault } from './wallet-fault.ts'

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

/** Deviations of the post that sends the presentation. */
export const presentationResponseFaults: readonly WalletFault[] = [
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
