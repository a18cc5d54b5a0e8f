import { breakSignature } from './change-draft.ts'
import type { WalletFault } from './wallet-fault.ts'

export const proofBadSignature: WalletFault = {
  name: 'proof-bad-signature',
  description: 'One bit of the signature of the proof of possession is wrong.',
  check: 'I26',
  rule: 'Document 1, Proof of possession JWT: signed with the key of kid',
  apply: { proof: breakSignature },
}
