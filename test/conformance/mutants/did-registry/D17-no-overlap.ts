import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D17',
  deviation: 'rolls keys without an overlap',
  patches: [
    {
      file: 'services/did-registry/routes/roll-verification-method.ts',
      find: 'duration: BigInt(body.duration),',
      replace: 'duration: isMutant ? 0n : BigInt(body.duration),',
    },
  ],
}
