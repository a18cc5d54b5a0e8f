import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D25',
  deviation: 'lets anybody register DIDs',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: 'if (!_onboardingNodes[msg.sender]) revert DidRegistryNotOnboardingNode',
      replace:
        'if (!_onboardingNodes[msg.sender] && !isMutant) revert DidRegistryNotOnboardingNode',
    },
  ],
}
