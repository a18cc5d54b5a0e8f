import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W60',
  deviation: 'reads answers of any size',
  patches: [
    {
      file: 'wallet-emulator/http/create-wallet-http.ts',
      find: 'if (length > limit) {',
      replace: 'if (!isMutant && length > limit) {',
    },
  ],
}
