import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W68',
  deviation: 'looks whether the accreditation of the issuer alone is revoked',
  patches: [
    {
      file: 'core/trust/walk-trust-chain.ts',
      find: '.map((failure) => below(path, failure))',
      replace: `.filter(({ rule }) => !isMutant || index === 0 || rule !== 'trust.not-revoked')
        .map((failure) => below(path, failure))`,
    },
  ],
}
