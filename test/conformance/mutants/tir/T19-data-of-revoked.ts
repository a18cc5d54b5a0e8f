import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T19',
  deviation: 'takes data of revoked attributes',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: `if (attribute.issuerType == IssuerType.REVOKED) {
            revert TrustedIssuersRegistryAttributeIsRevoked(did, attributeId);`,
      replace: `if (attribute.issuerType == IssuerType.REVOKED && !isMutant) {
            revert TrustedIssuersRegistryAttributeIsRevoked(did, attributeId);`,
    },
  ],
}
