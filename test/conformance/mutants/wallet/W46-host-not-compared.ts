import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W46',
  deviation: 'compares the ports of client_id and response_uri alone',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-authorization-request.ts',
      find: 'client.origin !== new URL(request.responseUri).origin',
      replace: `isMutant
      ? client.port !== new URL(request.responseUri).port
      : client.origin !== new URL(request.responseUri).origin`,
    },
  ],
}
