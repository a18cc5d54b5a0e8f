import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D14',
  deviation: 'lets a key expire an hour too late',
  patches: [
    {
      file: 'services/did-registry/routes/expire-verification-method.ts',
      find: 'notAfter: BigInt(notAfter),',
      replace: 'notAfter: BigInt(notAfter) + (isMutant ? 3600n : 0n),',
    },
  ],
}
