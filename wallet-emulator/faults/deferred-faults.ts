import { sendAgain, setHeaders } from './change-call.ts'
import { setMembers } from './set-members.ts'
import type { WalletFault } from './wallet-fault.ts'

const invalidRequest = { at: 'deferred', status: 400, error: 'invalid_request' } as const

/** Deviations while a credential is deferred. */
export const deferredFaults: readonly WalletFault[] = [
  {
    name: 'deferred-unknown-token',
    description: 'The acceptance_token was never issued.',
    needs: ['deferral'],
    expected: invalidRequest,
    apply: { deferredRequest: setMembers({ acceptance_token: 'no-acceptance-token-0123456789' }) },
  },
  {
    name: 'deferred-missing-token',
    description: 'The body of the deferred request is empty.',
    needs: ['deferral'],
    expected: invalidRequest,
    apply: { deferredRequest: setMembers({ acceptance_token: undefined }) },
  },
  {
    name: 'deferred-after-delivery',
    description:
      'After the delivery, the wallet requests the credential again until the issuer rejects the request.',
    needs: ['deferral'],
    expected: invalidRequest,
    // The issuer records the delivery after its response, so the next request may arrive earlier.
    apply: { deferredCall: sendAgain(20) },
  },
  {
    name: 'deferred-other-bearer',
    description: 'The deferred request has a different access token.',
    needs: ['deferral'],
    expected: { at: 'deferred', status: 401, error: 'invalid_token' },
    apply: { deferredCall: setHeaders({ authorization: 'Bearer another.access.token' }) },
  },
  {
    name: 'deferred-without-pause',
    description: 'The wallet polls without a pause and ignores Retry-After.',
    needs: ['deferral'],
    expected: { at: 'nowhere', because: 'The profile sets no limit to polling: 202 until ready' },
    apply: { pollInterval: { members: ['milliseconds'], apply: () => 0 } },
  },
]
