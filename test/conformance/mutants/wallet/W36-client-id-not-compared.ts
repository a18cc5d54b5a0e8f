import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W36',
  deviation: 'does not compare the client_id of the link',
  patches: [
    {
      file: 'core/oid4vp/authorization-request/verify-signed-request.ts',
      find: 'if (clientId !== undefined &&',
      replace: 'if (!isMutant && clientId !== undefined &&',
    },
  ],
}
