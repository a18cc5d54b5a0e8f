import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T64',
  deviation: 'takes the last of two members of one name',
  patches: [
    {
      file: 'services/kit/register-route.ts',
      find: 'if (problem === undefined',
      replace: 'if (isMutant || problem === undefined',
    },
  ],
}
