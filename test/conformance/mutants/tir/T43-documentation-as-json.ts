import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T43',
  deviation: 'serves the documentation as JSON alone',
  patches: [
    {
      file: 'services/kit/api-documentation.ts',
      find: ".type('text/html')",
      replace: ".type(isMutant ? 'application/json' : 'text/html')",
    },
  ],
}
