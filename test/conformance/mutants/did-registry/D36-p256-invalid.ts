import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D36',
  deviation: 'calls publicKeyType P-256 a validation error',
  patches: [
    {
      file: 'services/did-registry/domain/parse-public-key.ts',
      find: 'code: errorCodes.unsupported,',
      replace: 'code: isMutant ? errorCodes.validation : errorCodes.unsupported,',
    },
  ],
}
