import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D77',
  deviation: 'does not look whose proof it is',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: 'if (!Secp256k1.isProofOf(',
      replace: 'if (!isMutant && !Secp256k1.isProofOf(',
    },
  ],
}
