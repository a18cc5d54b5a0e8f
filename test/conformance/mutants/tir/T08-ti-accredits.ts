import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T08',
  deviation: 'lets a TI accredit',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: 'if (!_isAccredited(parent)) revert',
      replace:
        'if (!_isAccredited(parent) && !(isMutant && parent.issuerType == IssuerType.TI)) revert',
    },
  ],
}
