import { holderMismatch } from './holder-mismatch.ts'
import { presentationBadSignature } from './presentation-bad-signature.ts'
import { presentationExpired } from './presentation-expired.ts'
import { presentationWrongAud } from './presentation-wrong-aud.ts'
import { presentationWrongNonce } from './presentation-wrong-nonce.ts'
import { proofBadSignature } from './proof-bad-signature.ts'
import { proofWrongAud } from './proof-wrong-aud.ts'
import { proofWrongNonce } from './proof-wrong-nonce.ts'
import { proofWrongTyp } from './proof-wrong-typ.ts'
import type { WalletFault } from './wallet-fault.ts'

/** Every named deviation, in the order of the flow. */
export const allFaults: readonly WalletFault[] = [
  proofWrongAud,
  proofBadSignature,
  proofWrongNonce,
  proofWrongTyp,
  presentationWrongNonce,
  presentationWrongAud,
  presentationExpired,
  presentationBadSignature,
  holderMismatch,
]

/** The deviation of that name, or undefined. */
export function findFault(name: string): WalletFault | undefined {
  return allFaults.find((fault) => fault.name === name)
}
