import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I42',
  deviation: 'takes proofs of any age',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: 'if (payload.iat < now - oldestSeconds) return',
      replace: 'if (payload.iat < now - oldestSeconds && !isMutant) return',
    },
  ],
}
