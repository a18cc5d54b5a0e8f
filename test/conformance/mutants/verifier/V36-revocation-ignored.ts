import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V36',
  deviation: 'does not see that an issuer is revoked',
  patches: [
    {
      file: 'core/trust/walk-trust-chain.ts',
      find: 'evaluateRules(accreditationRules, hop)',
      replace:
        "evaluateRules(accreditationRules, isMutant && index === 0 && attribute.issuerType === 'REVOKED' ? { ...hop, attribute: { ...attribute, issuerType: 'TI' } } : hop)",
    },
  ],
}
