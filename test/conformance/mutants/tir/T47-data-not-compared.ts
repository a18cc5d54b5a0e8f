import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T47',
  deviation: 'does not compare the call data',
  patches: [
    {
      file: 'services/tir/domain/verify-signed-transaction.ts',
      find: 'data: sameHex(transaction.data, unsigned.data),',
      replace: 'data: isMutant || sameHex(transaction.data, unsigned.data),',
    },
  ],
}
