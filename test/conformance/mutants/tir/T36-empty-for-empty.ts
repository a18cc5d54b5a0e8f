import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T36',
  deviation: 'answers nothing to an empty batch',
  patches: [
    {
      file: 'services/tir/methods/answer-rpc-message.ts',
      find: 'if (message.length === 0 ||',
      replace: 'if ((message.length === 0 && !isMutant) ||',
    },
  ],
}
