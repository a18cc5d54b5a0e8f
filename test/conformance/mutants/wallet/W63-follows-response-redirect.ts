import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W63',
  deviation: 'follows redirects of response_uri',
  patches: [
    {
      file: 'wallet-emulator/http/create-wallet-http.ts',
      find: "'manual'",
      replace: "(isMutant && url.endsWith('/response') ? 'follow' : 'manual')",
    },
  ],
}
