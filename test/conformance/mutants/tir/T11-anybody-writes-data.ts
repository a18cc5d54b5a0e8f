import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T11',
  deviation: 'lets anybody write the data of attributes',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: 'if (!_mayWriteData(attribute, did)) {',
      replace: 'if (!_mayWriteData(attribute, did) && !isMutant) {',
    },
  ],
}
