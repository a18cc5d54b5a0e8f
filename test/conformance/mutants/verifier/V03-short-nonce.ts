import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V03',
  deviation: 'makes nonces of 48 bits',
  patches: [
    {
      file: 'services/verifier/adapters/create-session-store.ts',
      find: 'nonce: randomToken(),',
      replace: 'nonce: isMutant ? randomToken().slice(0, 8) : randomToken(),',
    },
  ],
}
