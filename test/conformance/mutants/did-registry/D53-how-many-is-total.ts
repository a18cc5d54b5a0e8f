import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D53',
  deviation: 'tells the number of all DIDs as that of the page',
  patches: [
    {
      file: 'services/kit/page-query.ts',
      find: 'howMany: items.length,',
      replace: 'howMany: isMutant && items.length > 0 ? total : items.length,',
    },
  ],
}
