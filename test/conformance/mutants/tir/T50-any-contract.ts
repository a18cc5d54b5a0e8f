import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T50',
  deviation: 'sends transactions to any address',
  patches: [
    {
      file: 'services/tir/domain/verify-signed-transaction.ts',
      find: 'if (!sameHex(unsignedTransaction.to, network.contractAddress)) {',
      replace: 'if (!isMutant && !sameHex(unsignedTransaction.to, network.contractAddress)) {',
    },
  ],
}
