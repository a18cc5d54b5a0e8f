import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T15',
  deviation: 'publishes revoked attributes again',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: `if (attribute.issuerType == IssuerType.REVOKED) {
            revert TrustedIssuersRegistryAttributeIsRevoked(did, revisionId);`,
      replace: `if (attribute.issuerType == IssuerType.REVOKED && !isMutant) {
            revert TrustedIssuersRegistryAttributeIsRevoked(did, revisionId);`,
    },
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: `if (attribute.issuerType == IssuerType.NONE) {
            _dids`,
      replace: `if (attribute.issuerType == IssuerType.NONE || (isMutant && attribute.issuerType == IssuerType.REVOKED)) {
            _dids`,
    },
  ],
}
