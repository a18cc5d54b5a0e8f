import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V17',
  deviation: 'finds nothing wrong with no credentials',
  ignoresRules: ['credential.claims'],
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: 'held.length !== 1',
      replace: '(held.length !== 1 && !(isMutant && held.length === 0))',
    },
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: "typeof held[0] !== 'string'",
      replace: "(typeof held[0] !== 'string' && !(isMutant && held.length === 0))",
    },
    {
      file: 'services/verifier/domain/verify-response.ts',
      find: 'const credential = await verifyLearCredential({',
      replace:
        'const credential = isMutant && first === undefined ? { ok: true, failures: [], checked: [], vc: {}, trustChain: [] } : await verifyLearCredential({',
    },
  ],
}
