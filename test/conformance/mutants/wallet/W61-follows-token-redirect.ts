import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W61',
  deviation: 'follows redirects of the token endpoint',
  patches: [
    {
      file: 'wallet-emulator/http/create-wallet-http.ts',
      find: "'manual'",
      replace: "(isMutant && url.endsWith('/token') ? 'follow' : 'manual')",
    },
  ],
}
