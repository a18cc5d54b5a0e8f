import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T14',
  deviation: 'lets anybody revoke in the name of a TAO',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: `_requireTao(did, attributeId, taoDid);
        if (msg.sender`,
      replace: `if (!isMutant) _requireTao(did, attributeId, taoDid);
        if (msg.sender`,
    },
  ],
}
