import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W21',
  deviation: 'does not look whether the accreditation of the issuer is revoked',
  patches: [
    {
      file: 'core/trust/walk-trust-chain.ts',
      find: '...results.failures',
      replace: `...results.failures.filter(
        ({ rule }) => !isMutant || index > 0 || rule !== 'trust.not-revoked',
      )`,
    },
  ],
}
