import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D18',
  deviation: 'takes the overlap for minutes',
  patches: [
    {
      file: 'services/did-registry/routes/roll-verification-method.ts',
      find: 'notBefore: BigInt(body.notBefore),',
      replace:
        'notBefore: BigInt(body.notBefore), ...(isMutant && body.duration > 0 ? { rolledFor: (body.duration *= 60) } : {}),',
    },
  ],
}
