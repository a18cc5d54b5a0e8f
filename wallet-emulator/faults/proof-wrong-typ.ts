import { changeHeader } from './change-draft.ts'
import type { WalletFault } from './wallet-fault.ts'

export const proofWrongTyp: WalletFault = {
  name: 'proof-wrong-typ',
  description: 'The proof of possession is typed JWT, as any other token.',
  check: 'I27',
  rule: 'Document 1, Proof of possession JWT: typ openid4vci-proof+jwt',
  apply: { proof: changeHeader(() => ({ typ: 'JWT' })) },
}
