import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D42',
  deviation: 'takes private keys',
  patches: [
    {
      file: 'services/did-registry/domain/parse-jwk-object.ts',
      find: 'if (privateMembers.some(',
      replace: 'if (!isMutant && privateMembers.some(',
    },
  ],
}
