import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D22',
  deviation: 'answers 400 where a transaction was reverted',
  patches: [
    {
      file: 'services/did-registry/routes/send-transaction.ts',
      find: 'const wire = receipt === undefined ? null : createReceipt(receipt, revertOf(receipt))',
      replace:
        "const wire = receipt === undefined ? null : createReceipt(receipt, revertOf(receipt)); if (isMutant && wire?.status === 0) throw refused('other', 'execution reverted')",
    },
  ],
}
