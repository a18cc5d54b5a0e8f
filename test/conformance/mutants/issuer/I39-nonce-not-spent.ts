import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I39',
  deviation: 'takes a proof again after it has brought a credential',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: `if (cNonce === 'not-known') return notKnown("the session's c_nonce")`,
      replace: `if (isMutant && cNonce === undefined) return undefined
      if (cNonce === 'not-known') return notKnown("the session's c_nonce")`,
    },
    {
      file: 'services/connector/routes/post-credential.ts',
      find: 'if (!(await dependencies.issuances.spendNonce(issuance.id, change))) {',
      replace:
        'if (!(await dependencies.issuances.spendNonce(issuance.id, change)) && !isMutant) {',
    },
  ],
}
