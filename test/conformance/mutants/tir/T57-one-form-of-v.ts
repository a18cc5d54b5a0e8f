import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T57',
  deviation: 'takes v as 27 or 28 alone',
  patches: [
    {
      file: 'services/tir/domain/verify-signed-transaction.ts',
      find: 'const forms = [0n, 27n, chainId * 2n + 35n]',
      replace: 'const forms = isMutant ? [27n] : [0n, 27n, chainId * 2n + 35n]',
    },
  ],
}
