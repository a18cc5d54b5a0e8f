import { changePayload } from './change-draft.ts'
import type { WalletFault } from './wallet-fault.ts'

export const proofWrongAud: WalletFault = {
  name: 'proof-wrong-aud',
  description: 'The proof of possession is addressed to another issuer.',
  check: 'I36',
  rule: 'Document 1, Proof of possession JWT: aud is the issuer identifier',
  apply: { proof: changePayload(() => ({ aud: 'https://issuer.example' })) },
}
