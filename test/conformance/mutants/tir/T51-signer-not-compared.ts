import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T51',
  deviation: 'does not compare the signer with from',
  patches: [
    {
      file: 'services/tir/domain/verify-signed-transaction.ts',
      find: 'if (!sameHex(transaction.from, unsignedTransaction.from)) {',
      replace: 'if (!isMutant && !sameHex(transaction.from, unsignedTransaction.from)) {',
    },
  ],
}
