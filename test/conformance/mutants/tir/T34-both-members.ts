import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T34',
  deviation: 'answers errors with a result of null',
  patches: [
    {
      file: 'services/tir/methods/answer-rpc-message.ts',
      find: 'return { error: rpcErrorObject(error) }',
      replace: 'return { error: rpcErrorObject(error), ...(isMutant ? { result: null } : {}) }',
    },
  ],
}
