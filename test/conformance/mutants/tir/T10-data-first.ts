import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T10',
  deviation: 'takes data of attributes that are not published',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: `if (attribute.issuerType == IssuerType.NONE) {
            revert TrustedIssuersRegistryAttributeNotPublished(did, attributeId);
        }
        if (attribute.issuerType == IssuerType.REVOKED)`,
      replace: `if (attribute.issuerType == IssuerType.NONE && !isMutant) {
            revert TrustedIssuersRegistryAttributeNotPublished(did, attributeId);
        }
        if (attribute.issuerType == IssuerType.REVOKED)`,
    },
  ],
}
