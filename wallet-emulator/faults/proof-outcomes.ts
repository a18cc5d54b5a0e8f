import type { ExpectedOutcome } from './wallet-fault.ts'

/** The credential endpoint refuses a proof that breaks this rule of `verifyProofOfPossession`. */
export const invalidProof = (rule: string): ExpectedOutcome => ({
  at: 'credential',
  status: 400,
  error: 'invalid_proof',
  rule,
})

/** It refuses the nonce alone, and the wallet's second try with a fresh one as well. */
export const invalidNonce: ExpectedOutcome = {
  at: 'credential',
  status: 400,
  error: 'invalid_nonce',
  rule: 'proof.nonce',
}
