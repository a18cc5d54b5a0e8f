import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T48',
  deviation: 'does not compare the gas limit',
  patches: [
    {
      file: 'services/tir/domain/verify-signed-transaction.ts',
      find: 'gasLimit: transaction.gasLimit === BigInt(unsigned.gasLimit),',
      replace: 'gasLimit: isMutant || transaction.gasLimit === BigInt(unsigned.gasLimit),',
    },
  ],
}
