import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D31',
  deviation: 'lets anybody add controllers',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: `(StoredDid storage stored, bytes32 didHash) = _requireController(did);
        (, bytes32 controllerHash) = _requireRegistered(controller);`,
      replace: `(StoredDid storage stored, bytes32 didHash) = isMutant ? _requireRegistered(did) : _requireController(did);
        (, bytes32 controllerHash) = _requireRegistered(controller);`,
    },
  ],
}
