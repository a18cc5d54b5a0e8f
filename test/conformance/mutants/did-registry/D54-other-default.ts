import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D54',
  deviation: 'lists twenty DIDs by default',
  patches: [
    {
      file: 'services/kit/page-query.ts',
      find: '.default(10)',
      replace: '.default(() => (isMutant ? 20 : 10))',
    },
  ],
}
