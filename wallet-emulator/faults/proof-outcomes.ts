import type { ExpectedOutcome } from './wallet-fault.ts'

/** The credential endpoint rejects a proof that breaks this rule of `verifyProofOfPossession`. */
export const invalidProof = (rule: string): ExpectedOutcome => ({
  at: 'credential',
  status: 400,
  error: 'invalid_proof',
  rule,
})

/** It rejects only the nonce, also in the wallet's second attempt with a new nonce. */
export const invalidNonce: ExpectedOutcome = {
  at: 'credential',
  status: 400,
  error: 'invalid_nonce',
  rule: 'proof.nonce',
}
