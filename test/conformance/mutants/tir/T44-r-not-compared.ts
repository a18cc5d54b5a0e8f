import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T44',
  deviation: 'does not compare r',
  patches: [
    {
      file: 'services/tir/domain/verify-signed-transaction.ts',
      find: 'r: transaction.r === BigInt(r),',
      replace: 'r: isMutant || transaction.r === BigInt(r),',
    },
  ],
}
