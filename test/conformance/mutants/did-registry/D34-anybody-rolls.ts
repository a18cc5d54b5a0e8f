import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D34',
  deviation: 'lets anybody roll keys',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: `(StoredDid storage stored, bytes32 didHash) = _requireController(did);
        StoredMethod storage oldMethod`,
      replace: `(StoredDid storage stored, bytes32 didHash) = isMutant ? _requireRegistered(did) : _requireController(did);
        StoredMethod storage oldMethod`,
    },
  ],
}
