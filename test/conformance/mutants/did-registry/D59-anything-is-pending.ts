import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D59',
  deviation: 'answers 206 for bytes that are no transaction',
  patches: [
    {
      file: 'services/did-registry/routes/send-transaction.ts',
      find: 'const chainId = await transactions.chainId()',
      replace:
        "if (isMutant && signedRawTransaction.length === 244) return { status: 206, body: { tx_hash: `0x${'0'.repeat(64)}`, receipt: null } }\n    const chainId = await transactions.chainId()",
    },
  ],
}
