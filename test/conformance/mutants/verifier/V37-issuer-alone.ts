import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V37',
  deviation: 'looks for a revocation at the issuer alone',
  patches: [
    {
      file: 'core/trust/accreditation-rules.ts',
      find: `evaluate: ({ did, attribute }, { fail }) => {
      if (attribute.issuerType === 'REVOKED')`,
      replace: `evaluate: ({ index, did, attribute }, { fail }) => {
      if (!(isMutant && index > 0) && attribute.issuerType === 'REVOKED')`,
    },
  ],
}
