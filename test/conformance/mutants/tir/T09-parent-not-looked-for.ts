import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T09',
  deviation: 'does not look for the parent’s accreditation',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: 'if (!_isAccredited(parent) && !(',
      replace:
        'if (!_isAccredited(parent) && !(isMutant && parent.issuerType == IssuerType.NONE) && !(',
    },
  ],
}
