import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T49',
  deviation: 'answers a hash for transactions of other chains',
  patches: [
    {
      file: 'services/tir/domain/verify-signed-transaction.ts',
      find: 'if (BigInt(unsignedTransaction.chainId) !== network.chainId) {',
      replace: 'if (BigInt(unsignedTransaction.chainId) !== network.chainId && !isMutant) {',
    },
    {
      file: 'services/tir/methods/send-signed-transaction.ts',
      find: "if (!sent.ok) throw rpcError('invalid_params', messageOf",
      replace:
        "if (isMutant && transaction.chainId !== network.chainId) return transaction.hash\n  if (!sent.ok) throw rpcError('invalid_params', messageOf",
    },
  ],
}
