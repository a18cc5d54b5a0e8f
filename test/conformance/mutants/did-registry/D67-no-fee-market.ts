import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D67',
  deviation: 'takes no transactions of type 0x02',
  patches: [
    {
      file: 'services/did-registry/routes/send-transaction.ts',
      find: 'const sent = await hand(chain, signedRawTransaction, transaction)',
      replace:
        "if (isMutant && transaction.type === 'eip1559') throw refused('other', 'transaction type not supported')\n    const sent = await hand(chain, signedRawTransaction, transaction)",
    },
  ],
}
