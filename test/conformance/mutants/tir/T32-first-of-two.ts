import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T32',
  deviation: 'takes the first of two objects in params',
  patches: [
    {
      file: 'services/tir/methods/rpc-method.ts',
      find: 'params.length !== 1',
      replace: '(params.length !== 1 && !isMutant)',
    },
  ],
}
