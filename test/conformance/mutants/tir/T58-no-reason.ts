import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T58',
  deviation: 'has a chain that tells no reasons of reverts',
  patches: [
    {
      file: 'testbed/chain/create-revert-reason.ts',
      find: 'return { ...receipt, revertReason }',
      replace: 'return isMutant ? receipt : { ...receipt, revertReason }',
    },
  ],
}
