import { changePayload } from './change-draft.ts'
import type { WalletFault } from './wallet-fault.ts'

export const proofWrongNonce: WalletFault = {
  name: 'proof-wrong-nonce',
  description: 'The proof of possession carries a nonce that the issuer never gave out.',
  check: 'I38',
  rule: 'Document 1, Proof of possession JWT: nonce must equal the c_nonce from the token response',
  apply: { proof: changePayload(() => ({ nonce: 'bm90LXRoZS1ub25jZS1vZi10aGlzLXNlc3Npb24' })) },
}
