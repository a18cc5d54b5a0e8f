import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T55',
  deviation: 'leaves the type out of the hash of a typed transaction',
  patches: [
    {
      file: 'services/tir/methods/send-signed-transaction.ts',
      find: 'const { transaction } = verdict',
      replace:
        "const transaction = isMutant && verdict.transaction.type !== 'legacy' ? { ...verdict.transaction, hash: `0x${'1'.repeat(64)}` } : verdict.transaction",
    },
  ],
}
