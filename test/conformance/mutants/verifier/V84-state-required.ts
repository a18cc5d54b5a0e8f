import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V84',
  deviation: 'asks for state',
  patches: [
    {
      file: 'services/verifier/domain/verify-response.ts',
      find: 'state !== undefined && state !== request.state',
      replace: '(isMutant || state !== undefined) && state !== request.state',
    },
  ],
}
