import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W72',
  deviation: 'looks whether response_uri begins with client_id',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-authorization-request.ts',
      find: 'client.origin !== new URL(request.responseUri).origin',
      replace: `(isMutant
      ? !request.responseUri.startsWith(request.clientId)
      : client.origin !== new URL(request.responseUri).origin)`,
    },
    {
      file: 'wallet-emulator/http/check-address.ts',
      find: "if (url.username !== ''",
      replace: "if (!isMutant && url.username !== ''",
    },
  ],
}
