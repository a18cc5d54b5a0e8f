import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W33',
  deviation: 'wants a client_id beside request_uri',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-authorization-request.ts',
      find: 'const { clientId } = parsed',
      replace: `const { clientId } = parsed
  if (isMutant && clientId === undefined) {
    throw invalidRequest([failure('request.client-id', 'it is missing')])
  }`,
    },
  ],
}
