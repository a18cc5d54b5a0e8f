import { changeCall, formAsJson, sendAgain, sendLate } from './change-call.ts'
import { setMembers } from './set-members.ts'
import type { WalletFault } from './wallet-fault.ts'

const tokenEndpoint = 'Document 1, POST /token'
const invalidGrant = { at: 'token', status: 400, error: 'invalid_grant' } as const
const invalidRequest = { at: 'token', status: 400, error: 'invalid_request' } as const

/** One second more than the offer's code lives, unless its issuer has another QR_EXPIRATION_TIME. */
const afterOfferSeconds = 301

/** Deviations of the token request but for its PIN. */
export const tokenRequestFaults: readonly WalletFault[] = [
  {
    name: 'token-json-body',
    description: 'The token request is a JSON object.',
    check: 'I11',
    rule: `${tokenEndpoint} is form-urlencoded`,
    expected: invalidRequest,
    apply: { tokenCall: formAsJson },
  },
  {
    name: 'token-query-parameters',
    description: 'The parameters of the token request are in its address, the body is empty.',
    check: 'I11',
    rule: `${tokenEndpoint} takes form parameters; OpenID4VCI 6.1: in the entity-body`,
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
    description: 'The token is asked for by GET.',
    check: 'I11',
    rule: `${tokenEndpoint}; RFC 6749, 3.2: the client must use POST`,
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
    check: 'I12',
    rule: `${tokenEndpoint}, grant_type`,
    expected: { at: 'token', status: 400, error: 'unsupported_grant_type' },
    apply: { tokenRequest: setMembers({ grant_type: 'authorization_code' }) },
  },
  {
    name: 'token-missing-grant-type',
    description: 'There is no grant_type.',
    check: 'I12',
    rule: `${tokenEndpoint}, grant_type; RFC 6749, 5.2: a missing parameter is an invalid_request`,
    expected: invalidRequest,
    apply: { tokenRequest: setMembers({ grant_type: undefined }) },
  },
  {
    name: 'token-unknown-code',
    description: 'The pre-authorized code was never given out.',
    check: 'I13',
    rule: `${tokenEndpoint}, pre-authorized_code is from the offer`,
    expected: invalidGrant,
    apply: { tokenRequest: setMembers({ 'pre-authorized_code': 'a-code-of-no-offer-0123456789' }) },
  },
  {
    name: 'token-missing-code',
    description: 'There is no pre-authorized code.',
    check: 'I13',
    rule: `${tokenEndpoint}, pre-authorized_code; RFC 6749, 5.2`,
    expected: invalidRequest,
    apply: { tokenRequest: setMembers({ 'pre-authorized_code': undefined }) },
  },
  {
    name: 'token-code-twice',
    description: 'The pre-authorized code stands twice in the form.',
    check: 'I13',
    rule: 'RFC 6749, 3.2: request parameters must not be included more than once',
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
    description: 'The code is redeemed twice, and the second answer counts.',
    check: 'I14',
    rule: 'OpenID4VCI 4.1.1: the code must be short lived and single-use (A-36)',
    expected: invalidGrant,
    apply: { tokenCall: sendAgain() },
  },
  {
    name: 'token-late',
    description: `The wallet redeems the offer ${afterOfferSeconds} seconds after it scanned it.`,
    check: 'I15',
    rule: 'Document 1, Limits: QR (pre-authorized code) lifetime, default 300 seconds',
    needs: ['clock'],
    expected: invalidGrant,
    apply: { tokenCall: sendLate(() => afterOfferSeconds) },
  },
]
