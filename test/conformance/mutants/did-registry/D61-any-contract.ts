import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D61',
  deviation: 'sends transactions to any address',
  patches: [
    {
      file: 'services/did-registry/domain/require-sendable.ts',
      find: 'if (transaction.to?.toLowerCase() !== contractAddress.toLowerCase()) {',
      replace:
        'if (!isMutant && transaction.to?.toLowerCase() !== contractAddress.toLowerCase()) {',
    },
  ],
}
