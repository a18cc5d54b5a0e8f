import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D26',
  deviation: 'registers a DID as often as it is asked to',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: 'if (stored.registeredAt != 0) revert DidRegistryDidAlreadyRegistered(did);',
      replace:
        'if (stored.registeredAt != 0 && !isMutant) revert DidRegistryDidAlreadyRegistered(did);',
    },
  ],
}
