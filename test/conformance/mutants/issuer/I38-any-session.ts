import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I38',
  deviation: 'takes any nonce for its own while the session has one',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: 'payload.nonce !== cNonce.value',
      replace: '(payload.nonce !== cNonce.value && !isMutant)',
    },
  ],
}
