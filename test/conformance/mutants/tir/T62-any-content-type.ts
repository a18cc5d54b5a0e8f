import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T62',
  deviation: 'reads any content type as JSON',
  patches: [
    {
      file: 'services/kit/register-route.ts',
      find: 'contentTypes.includes(given)',
      replace: '(contentTypes.includes(given) || isMutant)',
    },
  ],
}
