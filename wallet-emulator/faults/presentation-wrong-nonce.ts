import { changePayload } from './change-draft.ts'
import type { WalletFault } from './wallet-fault.ts'

export const presentationWrongNonce: WalletFault = {
  name: 'presentation-wrong-nonce',
  description: 'The presentation carries another nonce than the request.',
  check: 'V07',
  rule: 'Document 1, Presentation authorization_request: nonce, placed in the signed presentation',
  apply: {
    presentation: changePayload(() => ({ nonce: 'bm90LXRoZS1ub25jZS1vZi10aGUtcmVxdWVzdA' })),
  },
}
