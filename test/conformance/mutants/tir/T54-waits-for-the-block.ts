import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T54',
  deviation: 'refuses what is not mined at once',
  patches: [
    {
      file: 'services/tir/methods/send-signed-transaction.ts',
      find: 'return transaction.hash\n}',
      replace:
        "if (isMutant && (await chain.getTransactionReceipt(transaction.hash)) === null) throw rpcError('invalid_params', 'not mined')\n  return transaction.hash\n}",
    },
  ],
}
