import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D29',
  deviation: 'lets anybody give methods a use',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: `(StoredDid storage stored, bytes32 didHash) = _requireController(did);
        StoredMethod storage method = _requireMethod(stored, vMethodId);
        if (method.isRevoked)`,
      replace: `(StoredDid storage stored, bytes32 didHash) = isMutant ? _requireRegistered(did) : _requireController(did);
        StoredMethod storage method = _requireMethod(stored, vMethodId);
        if (method.isRevoked)`,
    },
  ],
}
