import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T20',
  deviation: 'lets a TAO change the role of what it has published',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: `} else if (
            attribute.issuerType != issuerType ||`,
      replace: `} else if (isMutant) {
            attribute.issuerType = issuerType;
        } else if (
            attribute.issuerType != issuerType ||`,
    },
  ],
}
