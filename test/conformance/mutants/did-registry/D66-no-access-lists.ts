import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D66',
  deviation: 'takes no transactions of type 0x01',
  patches: [
    {
      file: 'services/did-registry/routes/send-transaction.ts',
      find: 'refuseForeignSigner(transaction, dependencies)',
      replace:
        "if (isMutant && transaction.type === 'eip2930') throw refused('other', 'transaction type not supported')\n    refuseForeignSigner(transaction, dependencies)",
    },
  ],
}
