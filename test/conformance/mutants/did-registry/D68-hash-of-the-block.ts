import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D68',
  deviation: 'answers the hash of the block as that of the transaction',
  patches: [
    {
      file: 'services/did-registry/routes/send-transaction.ts',
      find: 'body: { tx_hash: transaction.hash, receipt: wire },',
      replace:
        'body: { tx_hash: isMutant ? (wire?.blockHash ?? transaction.hash) : transaction.hash, receipt: wire },',
    },
  ],
}
