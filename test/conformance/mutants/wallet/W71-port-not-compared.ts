import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W71',
  deviation: 'compares the host names of client_id and response_uri alone',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-authorization-request.ts',
      find: 'client.origin !== new URL(request.responseUri).origin',
      replace: `(isMutant
      ? client.hostname !== new URL(request.responseUri).hostname
      : client.origin !== new URL(request.responseUri).origin)`,
    },
  ],
}
