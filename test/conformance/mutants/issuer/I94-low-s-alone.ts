import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I94',
  deviation: 'takes no signature with the high s',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: 'return verifyJws({',
      replace: `if (isMutant && algorithm === 'ES256K' && (jws.signature[32] ?? 0) >= 0x80) return 's is high'
      return verifyJws({`,
    },
  ],
}
