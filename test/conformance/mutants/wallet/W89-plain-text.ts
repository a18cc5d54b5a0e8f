import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W89',
  deviation: 'posts presentations as text/plain',
  patches: [
    {
      file: 'wallet-emulator/actions/submit-presentation.ts',
      find: "'content-type': 'application/x-www-form-urlencoded'",
      replace: "'content-type': isMutant ? 'text/plain' : 'application/x-www-form-urlencoded'",
    },
  ],
}
