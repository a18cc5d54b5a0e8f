import { changeCall, formAsJson, sendAgain, sendLate } from './change-call.ts'
import { setMembers } from './set-members.ts'
import type { WalletFault } from './wallet-fault.ts'

const invalidGrant = { at: 'token', status: 400, error: 'invalid_grant' } as const
const invalidRequest = { at: 'token', status: 400, error: 'invalid_request' } as const

/** One second more than the default lifetime of the offer's code (QR_EXPIRATION_TIME). */
const afterOfferSeconds = 301

/** Deviations of the token request except for the PIN. */
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
]
