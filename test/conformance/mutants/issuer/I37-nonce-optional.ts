import type { Mutant } from '#test/conformance/mutation/mutant.ts'
import { ignoreProofRule } from '../ignore-proof-rule.ts'

export const mutant: Mutant = {
  check: 'I37',
  deviation: 'takes a proof without nonce',
  patches: [ignoreProofRule('proof.nonce-missing')],
}
