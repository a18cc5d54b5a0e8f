import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T07',
  deviation: 'lets anybody accredit in the name of a TAO',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: `_requireTao(did, attributeId, taoDid);
            rootTaoDidHash`,
      replace: `if (!isMutant) _requireTao(did, attributeId, taoDid);
            rootTaoDidHash`,
    },
  ],
}
