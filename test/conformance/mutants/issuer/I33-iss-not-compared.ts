import type { Mutant } from '#test/conformance/mutation/mutant.ts'
import { ignoreProofRule } from '../ignore-proof-rule.ts'

export const mutant: Mutant = {
  check: 'I33',
  deviation: 'does not hold iss against the DID of kid',
  patches: [ignoreProofRule('proof.iss')],
}
