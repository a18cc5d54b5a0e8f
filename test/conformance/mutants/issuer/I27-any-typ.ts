import type { Mutant } from '#test/conformance/mutation/mutant.ts'
import { ignoreProofRule } from '../ignore-proof-rule.ts'

export const mutant: Mutant = {
  check: 'I27',
  deviation: 'does not look at the typ of proofs',
  patches: [ignoreProofRule('proof.typ')],
}
