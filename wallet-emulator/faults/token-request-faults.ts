import { changeCall, formAsJson, sendAgain, sendBefore, sendLate } from './change-call.ts'
import { setMembers } from './change-jws.ts'
import type { Call, WalletFault } from './wallet-fault.ts'

const invalidGrant = { at: 'token', status: 400, error: 'invalid_grant' } as const
const invalidRequest = { at: 'token', status: 400, error: 'invalid_request' } as const

/** One second more than the default lifetime of the offer's code (QR_EXPIRATION_TIME). */
const afterOfferSeconds = 301

/** Returns a different PIN of the same length and characters. */
function otherPin(pin: unknown): string {
  const text = String(pin)
  const last = text.at(-1) === '1' ? '2' : '1'
  return text.slice(0, -1) + last
}

function withWrongPin(call: Call): Call {
  const form = new URLSearchParams(call.body)
  form.set('tx_code', otherPin(form.get('tx_code')))
  return { ...call, body: form.toString() }
}

/** Deviations of the token request. */
export const tokenRequestFaults: readonly WalletFault[] = [
  {
    name: 'token-json-body',
    description: 'The token request is a JSON object.',
    expected: invalidRequest,
    apply: { tokenCall: formAsJson },
  },
  {
    name: 'token-query-parameters',
    description: 'The parameters of the token request are in its URL; the body is empty.',
    expected: invalidRequest,
    apply: {
      tokenCall: changeCall(['url', 'body'], (call) => ({
        ...call,
        url: `${call.url}?${call.body}`,
        body: '',
      })),
    },
  },
  {
    name: 'token-by-get',
    description: 'The token request is a GET.',
    expected: { at: 'token', status: 405, error: 'method_not_allowed' },
    apply: {
      tokenCall: changeCall(['method', 'url', 'body'], ({ body, url, ...call }) => ({
        ...call,
        method: 'GET',
        url: `${url}?${body}`,
      })),
    },
  },
  {
    name: 'token-wrong-grant-type',
    description: 'The grant_type is authorization_code.',
    expected: { at: 'token', status: 400, error: 'unsupported_grant_type' },
    apply: { tokenRequest: setMembers({ grant_type: 'authorization_code' }) },
  },
  {
    name: 'token-missing-grant-type',
    description: 'There is no grant_type.',
    expected: invalidRequest,
    apply: { tokenRequest: setMembers({ grant_type: undefined }) },
  },
  {
    name: 'token-unknown-code',
    description: 'The pre-authorized code was never issued.',
    expected: invalidGrant,
    apply: { tokenRequest: setMembers({ 'pre-authorized_code': 'a-code-of-no-offer-0123456789' }) },
  },
  {
    name: 'token-missing-code',
    description: 'There is no pre-authorized code.',
    expected: invalidRequest,
    apply: { tokenRequest: setMembers({ 'pre-authorized_code': undefined }) },
  },
  {
    name: 'token-code-twice',
    description: 'The form contains the pre-authorized code twice.',
    expected: invalidRequest,
    apply: {
      tokenCall: changeCall(['body'], (call) => {
        const code = new URLSearchParams(call.body).get('pre-authorized_code') ?? ''
        const again = new URLSearchParams({ 'pre-authorized_code': code })
        return { ...call, body: `${call.body}&${again}` }
      }),
    },
  },
  {
    name: 'token-code-reused',
    description: 'The wallet redeems the code twice; the second response counts.',
    expected: invalidGrant,
    apply: { tokenCall: sendAgain() },
  },
  {
    name: 'token-late',
    description: `The wallet redeems the offer ${afterOfferSeconds} seconds after it scanned it.`,
    needs: ['clock'],
    expected: invalidGrant,
    apply: { tokenCall: sendLate(() => afterOfferSeconds) },
  },
  {
    name: 'pin-missing',
    description: 'The PIN that the offer requires is missing.',
    needs: ['pin'],
    expected: invalidRequest,
    apply: { tokenRequest: setMembers({ tx_code: undefined }) },
  },
  {
    name: 'pin-wrong',
    description: 'The last character of the PIN is wrong.',
    needs: ['pin'],
    expected: invalidGrant,
    apply: { tokenRequest: setMembers({ tx_code: otherPin }) },
  },
  {
    name: 'pin-unasked',
    description: 'The wallet sends a PIN although the offer does not require it.',
    expected: invalidRequest,
    apply: { tokenRequest: setMembers({ tx_code: '4935' }) },
  },
  {
    name: 'pin-guessed',
    description: 'The wallet sends five wrong PINs before the correct PIN.',
    needs: ['pin'],
    expected: invalidGrant,
    apply: { tokenCall: sendBefore((call) => Array.from({ length: 5 }, () => withWrongPin(call))) },
  },
  {
    name: 'pin-wrong-length',
    description: 'The last character of the PIN is missing.',
    needs: ['pin'],
    expected: invalidGrant,
    apply: { tokenRequest: setMembers({ tx_code: (pin: unknown) => String(pin).slice(0, -1) }) },
  },
  {
    name: 'pin-wrong-characters',
    description: 'The PIN consists of letters although the offer requires digits.',
    needs: ['pin'],
    expected: invalidGrant,
    apply: {
      tokenRequest: setMembers({ tx_code: (pin: unknown) => 'x'.repeat(String(pin).length) }),
    },
  },
]
