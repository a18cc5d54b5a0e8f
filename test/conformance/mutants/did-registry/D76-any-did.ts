import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D76',
  deviation: 'registers any DID with any key',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: '_requireDerived(did, key.proof);\n',
      replace: 'if (!isMutant) _requireDerived(did, key.proof);\n',
    },
  ],
}
