import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D39',
  deviation: 'takes keys that are no point of the curve',
  patches: [
    {
      file: 'services/did-registry/domain/parse-public-key.ts',
      find: 'if (publicJwkFromHex(text) === undefined) {',
      replace: 'if (publicJwkFromHex(text) === undefined && !isMutant) {',
    },
  ],
}
