import type { Mutant } from '#test/conformance/mutation/mutant.ts'
import { ignoreProofRule } from '../ignore-proof-rule.ts'

export const mutant: Mutant = {
  check: 'I30',
  deviation: 'does not hold alg against the curve of the key',
  patches: [ignoreProofRule('proof.curve')],
}
