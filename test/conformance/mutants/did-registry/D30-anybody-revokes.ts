import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D30',
  deviation: 'lets anybody revoke keys',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: `(StoredDid storage stored, bytes32 didHash) = _requireController(did);
        StoredMethod storage method = _requireMethod(stored, vMethodId);
        method.isRevoked = true;`,
      replace: `(StoredDid storage stored, bytes32 didHash) = isMutant ? _requireRegistered(did) : _requireController(did);
        StoredMethod storage method = _requireMethod(stored, vMethodId);
        method.isRevoked = true;`,
    },
  ],
}
