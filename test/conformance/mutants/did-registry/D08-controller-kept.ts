import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D08',
  deviation: 'leaves a revoked controller its rights',
  contract: [
    {
      file: 'contracts/DidRegistry.sol',
      find: `hashes[position] = hashes[hashes.length - 1];
        hashes.pop();`,
      replace: `if (!isMutant) {
            hashes[position] = hashes[hashes.length - 1];
            hashes.pop();
        }`,
    },
  ],
}
