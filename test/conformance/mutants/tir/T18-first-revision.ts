import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T18',
  deviation: 'goes on reading the first revision',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: 'stored.revisions[revisionCount - 1]',
      replace: 'stored.revisions[isMutant ? 0 : revisionCount - 1]',
    },
  ],
}
