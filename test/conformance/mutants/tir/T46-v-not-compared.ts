import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T46',
  deviation: 'does not compare v',
  patches: [
    {
      file: 'services/tir/domain/verify-signed-transaction.ts',
      find: 'v: parityOf(BigInt(v), chainId) === transaction.yParity,',
      replace: 'v: isMutant || parityOf(BigInt(v), chainId) === transaction.yParity,',
    },
  ],
}
