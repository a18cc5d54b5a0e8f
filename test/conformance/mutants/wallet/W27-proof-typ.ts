import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W27',
  deviation: 'sends proofs of the typ JWT',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/create-proof-of-possession.ts',
      find: 'typ: proofOfPossessionType',
      replace: 'typ: isMutant ? "JWT" : proofOfPossessionType',
    },
  ],
}
