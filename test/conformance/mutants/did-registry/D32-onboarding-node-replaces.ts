import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D32',
  deviation: 'lets onboarding nodes replace the documents of registered DIDs',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: `(StoredDid storage stored, bytes32 didHash) = _requireController(did);
        bytes memory coordinates = _requireControlKey(key);`,
      replace: `(StoredDid storage stored, bytes32 didHash) = isMutant && _onboardingNodes[msg.sender]
            ? _requireRegistered(did)
            : _requireController(did);
        bytes memory coordinates = _requireControlKey(key);`,
    },
  ],
}
