import { breakSignature } from './change-draft.ts'
import type { WalletFault } from './wallet-fault.ts'

export const presentationBadSignature: WalletFault = {
  name: 'presentation-bad-signature',
  description: 'One bit of the signature of the presentation is wrong.',
  check: 'V05',
  rule: 'Document 1, Presentation token: signed with the key of kid',
  apply: { presentation: breakSignature },
}
