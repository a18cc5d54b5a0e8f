import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T16',
  deviation: 'lets a revoked TAO accredit',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: 'return attribute.issuerType == IssuerType.ROOT_TAO ||',
      replace:
        'return (isMutant && attribute.issuerType == IssuerType.REVOKED) || attribute.issuerType == IssuerType.ROOT_TAO ||',
    },
  ],
}
