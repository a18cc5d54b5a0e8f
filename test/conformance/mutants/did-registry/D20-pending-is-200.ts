import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D20',
  deviation: 'answers 200 for a transaction that waits for its block',
  patches: [
    {
      file: 'services/did-registry/routes/send-transaction.ts',
      find: 'status: wire === null ? 206 : 200,',
      replace: 'status: wire === null && !isMutant ? 206 : 200,',
    },
  ],
}
