import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D02',
  deviation: 'prints the gas limit of revokeController in decimal',
  patches: [
    {
      file: 'services/did-registry/routes/define-contract-route.ts',
      find: 'return { status: 200, body: transaction }',
      replace:
        "return { status: 200, body: isMutant && operation === 'revokeController' ? { ...transaction, gasLimit: String(Number(transaction.gasLimit)) } : transaction }",
    },
  ],
}
