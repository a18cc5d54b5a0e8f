import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D71',
  deviation: 'reads any content type as JSON',
  patches: [
    {
      file: 'services/kit/register-route.ts',
      find: 'if (!contentTypes.includes(given)) return next(wrongContentType())',
      replace: 'if (!contentTypes.includes(given) && !isMutant) return next(wrongContentType())',
    },
  ],
}
