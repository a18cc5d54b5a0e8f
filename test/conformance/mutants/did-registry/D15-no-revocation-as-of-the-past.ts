import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D15',
  deviation: 'lets a revocation as of the past have no effect',
  patches: [
    {
      file: 'services/did-registry/routes/revoke-verification-method.ts',
      find: 'notAfter: BigInt(notAfter),',
      replace:
        'notAfter: isMutant && notAfter <= Date.now() / 1000 ? 4_000_000_000n : BigInt(notAfter),',
    },
  ],
}
