import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D81',
  deviation: 'gives revoked keys new uses',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: `if (method.isRevoked) revert DidRegistryVerificationMethodIsRevoked(did, vMethodId);
        if (relationship ==`,
      replace: `if (method.isRevoked && !isMutant) revert DidRegistryVerificationMethodIsRevoked(did, vMethodId);
        if (relationship ==`,
    },
  ],
}
