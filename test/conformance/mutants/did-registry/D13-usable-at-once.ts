import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D13',
  deviation: 'lets each new method make assertions',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: '_addMethod(stored, didHash, vMethodId, publicKeyType, storedKey, type(uint64).max);',
      replace: `if (isMutant) stored.methods[vMethodId].windows.add(uint8(Relationship.AssertionMethod), 0, type(uint64).max);
        _addMethod(stored, didHash, vMethodId, publicKeyType, storedKey, type(uint64).max);`,
    },
  ],
}
