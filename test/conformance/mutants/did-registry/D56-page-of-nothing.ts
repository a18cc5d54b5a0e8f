import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D56',
  deviation: 'takes page sizes below 1',
  patches: [
    {
      file: 'services/kit/page-query.ts',
      find: '.refine((value) => value >= 1,',
      replace: '.refine((value) => isMutant || value >= 1,',
    },
  ],
}
