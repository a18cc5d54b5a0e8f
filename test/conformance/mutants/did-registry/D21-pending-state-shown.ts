import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D21',
  deviation: 'shows what waits in the memory pool',
  patches: [
    {
      file: 'services/kit/chain-client.ts',
      find: "'latest',\n      ]),",
      replace: "isMutant ? 'pending' : 'latest',\n      ]),",
    },
  ],
}
