import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W78',
  deviation: 'judges verifiers by their DID document of some hours before',
  patches: [
    {
      file: 'core/oid4vp/authorization-request/verify-signed-request.ts',
      find: 'await options.resolveDidDocument(client_id)',
      replace: `await options.resolveDidDocument(
          client_id,
          ...(isMutant ? [options.now - 7200] : []),
        )`,
    },
  ],
}
