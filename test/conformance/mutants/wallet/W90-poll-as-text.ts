import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W90',
  deviation: 'polls with text/plain',
  patches: [
    {
      file: 'wallet-emulator/actions/poll-deferred-credential.ts',
      find: "'content-type': 'application/json'",
      replace: "'content-type': isMutant ? 'text/plain' : 'application/json'",
    },
  ],
}
