import { changePayload } from './change-draft.ts'
import type { WalletFault } from './wallet-fault.ts'

export const presentationExpired: WalletFault = {
  name: 'presentation-expired',
  description: 'The presentation expired an hour ago, after a lifetime of five minutes.',
  check: 'V09',
  rule: 'Document 1, Presentation token: exp',
  apply: {
    presentation: changePayload((_, { now }) => ({ iat: now - 3900, exp: now - 3600 })),
  },
}
