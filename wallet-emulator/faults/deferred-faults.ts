import { sendAgain, setHeaders } from './change-call.ts'
import { setMembers } from './set-members.ts'
import type { WalletFault } from './wallet-fault.ts'

const invalidRequest = { at: 'deferred', status: 400, error: 'invalid_request' } as const

/** Deviations while a credential is deferred. */
export const deferredFaults: readonly WalletFault[] = [
  {
    name: 'deferred-unknown-token',
    description: 'The acceptance_token was never given out.',
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
    description: 'The credential is asked for again once it is there, until that is refused.',
    needs: ['deferral'],
    expected: invalidRequest,
    // What was delivered is noted after the answer has gone out: the next request may be before that.
    apply: { deferredCall: sendAgain(20) },
  },
  {
    name: 'deferred-other-bearer',
    description: 'The deferred request carries another access token.',
    needs: ['deferral'],
    expected: { at: 'deferred', status: 401, error: 'invalid_token' },
    apply: { deferredCall: setHeaders({ authorization: 'Bearer another.access.token' }) },
  },
  {
    name: 'deferred-without-pause',
    description: 'The wallet polls without a pause, whatever Retry-After says.',
    needs: ['deferral'],
    expected: { at: 'nowhere', because: 'The profile sets no limit to polling: 202 until ready' },
    apply: { pollInterval: { members: ['milliseconds'], apply: () => 0 } },
  },
]
