import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D62',
  deviation: 'sends what any key has signed',
  patches: [
    {
      file: 'services/did-registry/routes/send-transaction.ts',
      find: 'if (builtTransactions.mayBeSignedBy(built, clock.seconds())) return',
      replace: 'if (isMutant || builtTransactions.mayBeSignedBy(built, clock.seconds())) return',
    },
  ],
}
