import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W62',
  deviation: 'follows redirects of the credential endpoint',
  patches: [
    {
      file: 'wallet-emulator/http/create-wallet-http.ts',
      find: "'manual'",
      replace: "(isMutant && url.endsWith('/credential') ? 'follow' : 'manual')",
    },
  ],
}
