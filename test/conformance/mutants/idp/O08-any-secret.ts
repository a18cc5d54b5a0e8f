import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O08',
  deviation: 'takes any client secret',
  patches: [
    {
      file: 'services/idp/adapters/authenticate-clients.ts',
      find: 'return isRight && (',
      replace: 'return (isRight || isMutant) && (',
    },
  ],
}
