import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T38',
  deviation: 'calls an outage of the chain invalid params',
  patches: [
    {
      file: 'services/tir/errors.ts',
      find: 'return { code: rpcCodes.internal_error,',
      replace: 'return { code: isMutant ? rpcCodes.invalid_params : rpcCodes.internal_error,',
    },
  ],
}
