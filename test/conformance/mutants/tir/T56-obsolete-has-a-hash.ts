import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T56',
  deviation: 'answers a hash for obsolete nonces',
  patches: [
    {
      file: 'services/tir/methods/send-signed-transaction.ts',
      find: "if (!sent.ok) throw rpcError('invalid_params', messageOf",
      replace:
        "if (isMutant && !sent.ok && sent.refusal === 'nonce') return transaction.hash\n  if (!sent.ok) throw rpcError('invalid_params', messageOf",
    },
  ],
}
