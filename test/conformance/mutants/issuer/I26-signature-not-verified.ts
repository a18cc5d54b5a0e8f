import type { Mutant } from '#test/conformance/mutation/mutant.ts'
import { ignoreProofRule } from '../ignore-proof-rule.ts'

export const mutant: Mutant = {
  check: 'I26',
  deviation: 'does not verify the signature of proofs',
  patches: [ignoreProofRule('proof.signature')],
}
