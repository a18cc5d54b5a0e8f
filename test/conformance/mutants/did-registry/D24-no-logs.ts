import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D24',
  deviation: 'leaves the logs out of receipts',
  patches: [
    {
      file: 'services/did-registry/domain/create-receipt.ts',
      find: 'logs: receipt.logs.map(',
      replace: 'logs: (isMutant ? [] : receipt.logs).map(',
    },
  ],
}
