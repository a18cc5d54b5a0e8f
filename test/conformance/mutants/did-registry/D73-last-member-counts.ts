import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D73',
  deviation: 'takes the last of two members of one name',
  patches: [
    {
      file: 'services/kit/register-route.ts',
      find: 'if (problem === undefined) return\n',
      replace: 'if (problem === undefined || isMutant) return\n',
    },
  ],
}
