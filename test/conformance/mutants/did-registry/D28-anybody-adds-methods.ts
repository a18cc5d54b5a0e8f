import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D28',
  deviation: 'lets anybody add verification methods',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: `(StoredDid storage stored, bytes32 didHash) = _requireController(did);
        bytes memory storedKey`,
      replace: `(StoredDid storage stored, bytes32 didHash) = isMutant ? _requireRegistered(did) : _requireController(did);
        bytes memory storedKey`,
    },
  ],
}
