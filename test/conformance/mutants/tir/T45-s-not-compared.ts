import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T45',
  deviation: 'does not compare s',
  patches: [
    {
      file: 'services/tir/domain/verify-signed-transaction.ts',
      find: 's: transaction.s === BigInt(s),',
      replace: 's: isMutant || transaction.s === BigInt(s),',
    },
  ],
}
