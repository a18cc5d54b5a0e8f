import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T17',
  deviation: 'forgets the body of revoked attributes',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: 'uint256 revisionCount = stored.revisions.length;',
      replace:
        'uint256 revisionCount = isMutant && stored.issuerType == IssuerType.REVOKED ? 0 : stored.revisions.length;',
    },
  ],
}
