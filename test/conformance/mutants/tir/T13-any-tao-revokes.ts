import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T13',
  deviation: 'lets any TAO revoke',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: `if (attribute.taoDidHash != _hashOf(taoDid)) {
            revert TrustedIssuersRegistryAttributeIsImmutable(did, attributeId);
        }`,
      replace: `if (attribute.taoDidHash != _hashOf(taoDid) && !isMutant) {
            revert TrustedIssuersRegistryAttributeIsImmutable(did, attributeId);
        }`,
    },
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: 'if (msg.sender != _operator) _requireAccredited(taoDid, attribute.attributeIdTao);',
      replace:
        'if (msg.sender != _operator && !isMutant) _requireAccredited(taoDid, attribute.attributeIdTao);',
    },
  ],
}
