import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T37',
  deviation: 'answers notifications',
  patches: [
    {
      file: 'services/tir/methods/answer-rpc-message.ts',
      find: 'return id === undefined ? undefined',
      replace: 'return id === undefined && !isMutant ? undefined',
    },
  ],
}
