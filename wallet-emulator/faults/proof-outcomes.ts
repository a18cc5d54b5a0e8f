import type { ExpectedOutcome } from './wallet-fault.ts'

/** The credential endpoint refuses a proof that breaks these rules of `verifyProofOfPossession`. */
export const invalidProof = (...rules: readonly string[]): ExpectedOutcome => ({
  at: 'credential',
  status: 400,
  error: 'invalid_proof',
  rules,
})

/** It refuses the nonce alone, and the wallet's second try with a fresh one as well. */
export const invalidNonce: ExpectedOutcome = {
  at: 'credential',
  status: 400,
  error: 'invalid_nonce',
  rules: ['proof.nonce'],
}

export const proofJwt = 'Document 1, Proof of possession JWT'
