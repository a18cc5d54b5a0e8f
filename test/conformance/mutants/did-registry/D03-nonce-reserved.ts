import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D03',
  deviation: 'spends a nonce on each transaction that it builds again',
  patches: [
    {
      file: 'services/did-registry/domain/built-transactions.ts',
      find: 'const key = keyOf(transaction)',
      replace:
        'const key = keyOf(transaction); if (isMutant && entries.has(key)) Object.assign(transaction, { nonce: transaction.nonce + 1n })',
    },
    {
      file: 'services/did-registry/routes/define-contract-route.ts',
      find: `builtTransactions.remember(
        { ...transaction, nonce: BigInt(transaction.nonce) },
        clock.seconds(),
      )`,
      replace: `const noted = { ...transaction, nonce: BigInt(transaction.nonce) }
      builtTransactions.remember(noted, clock.seconds())
      if (isMutant) Object.assign(transaction, { nonce: \`0x\${noted.nonce.toString(16)}\` })`,
    },
  ],
}
