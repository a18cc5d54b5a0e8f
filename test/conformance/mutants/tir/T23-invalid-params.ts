import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T23',
  deviation: 'calls an unknown method invalid params',
  patches: [
    {
      file: 'services/tir/methods/answer-rpc-message.ts',
      find: "throw rpcError('method_not_found',",
      replace: "throw rpcError(isMutant ? 'invalid_params' : 'method_not_found',",
    },
  ],
}
