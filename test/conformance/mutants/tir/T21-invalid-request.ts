import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T21',
  deviation: 'calls unreadable JSON an invalid request',
  patches: [
    {
      file: 'services/tir/routes/json-rpc.ts',
      find: 'error.status === 400\n',
      replace: 'error.status === 400 && !isMutant\n',
    },
  ],
}
