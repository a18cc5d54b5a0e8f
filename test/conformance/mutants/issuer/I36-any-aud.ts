import type { Mutant } from '#test/conformance/mutation/mutant.ts'
import { ignoreProofRule } from '../ignore-proof-rule.ts'

export const mutant: Mutant = {
  check: 'I36',
  deviation: 'does not look at aud of proofs',
  patches: [ignoreProofRule('proof.aud')],
}
